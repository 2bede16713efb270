//! A table of logs, as DataFusion asks for it.

use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::array::{AsArray, BooleanArray};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::{DFSchema, DataFusionError, Result};
use datafusion::execution::context::SessionContext;
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown, TableType};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::streaming::{PartitionStream, StreamingTableExec};
use toolgauge_tables::{BatchBuilder, Column, LogFacts, Row, Source, TableName, schema};

use crate::logs::QueriedLogs;
use crate::partition::LogPartition;

impl QueriedLogs {
    /// One of their tables.
    pub fn table(&self, name: TableName) -> LogTable {
        LogTable::new(self, name)
    }

    /// Makes all their tables known to a session, by their names.
    pub fn register(&self, context: &SessionContext) -> Result<()> {
        for name in TableName::ALL {
            context.register_table(name.name(), Arc::new(self.table(name)))?;
        }
        Ok(())
    }
}

/// A table of logs.
#[derive(Debug)]
pub struct LogTable {
    logs: QueriedLogs,
    name: TableName,
    schema: SchemaRef,
}

impl LogTable {
    fn new(logs: &QueriedLogs, name: TableName) -> Self {
        Self { logs: logs.clone(), name, schema: schema(name.columns()) }
    }

    /// Whether a condition is about the head of a log alone, so that it holds for all rows of a log
    /// or for none.
    fn is_about_head(&self, condition: &Expr) -> bool {
        let is_head = |name: &str| {
            let columns = self.name.columns().iter();
            columns.clone().any(|column| column.name == name && column.source == Source::Head)
        };
        !condition.is_volatile()
            && condition.column_refs().iter().all(|column| is_head(&column.name))
    }

    /// The logs that meet all conditions.
    fn chosen(&self, state: &dyn Session, conditions: &[Expr]) -> Result<Vec<usize>> {
        let heads = HeadConditions::new(self.name, state, conditions)?;
        let mut chosen = Vec::new();
        for (place, log) in self.logs.logs().iter().enumerate() {
            if heads.hold(&log.facts)? {
                chosen.push(place);
            }
        }
        Ok(chosen)
    }
}

#[async_trait]
impl TableProvider for LogTable {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(
        &self,
        filters: &[&Expr],
    ) -> Result<Vec<TableProviderFilterPushDown>> {
        let supported = |filter: &&Expr| match self.is_about_head(filter) {
            true => TableProviderFilterPushDown::Exact,
            false => TableProviderFilterPushDown::Unsupported,
        };
        Ok(filters.iter().map(supported).collect())
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let all = self.name.columns();
        let columns: Vec<&'static Column> = match projection {
            Some(places) => places.iter().map(|place| &all[*place]).collect(),
            None => all.iter().collect(),
        };
        let projected = schema(columns.iter().copied());
        let chosen = self.chosen(state, filters)?;
        // As many partitions as the engine works on at once: each of them holds a log open.
        let count = state.config().target_partitions().min(chosen.len()).max(1);
        let partition = |first: usize| {
            let places = chosen.iter().skip(first).step_by(count).copied().collect();
            let logs = self.logs.shared();
            let partition = LogPartition::new(logs, places, self.name, columns.clone());
            Arc::new(partition) as Arc<dyn PartitionStream>
        };
        let partitions = (0..count).map(partition).collect();
        let plan = StreamingTableExec::try_new(projected, partitions, None, [], false, limit)?;
        Ok(Arc::new(plan))
    }
}

/// Conditions on the heads of logs.
struct HeadConditions {
    columns: Vec<&'static Column>,
    conditions: Vec<Arc<dyn PhysicalExpr>>,
}

impl HeadConditions {
    fn new(table: TableName, state: &dyn Session, conditions: &[Expr]) -> Result<Self> {
        let columns = table.columns().iter().filter(|column| column.source == Source::Head);
        let columns: Vec<&'static Column> = columns.collect();
        let schema = DFSchema::try_from(schema(columns.iter().copied()))?;
        let made = conditions.iter().map(|condition| {
            // Conditions may name the table, and the heads have no name.
            let condition = unqualified(condition.clone())?;
            state.create_physical_expr(condition, &schema)
        });
        Ok(Self { columns, conditions: made.collect::<Result<_>>()? })
    }

    /// Whether they hold for a log. One that is neither true nor false does not.
    fn hold(&self, facts: &LogFacts) -> Result<bool> {
        if self.conditions.is_empty() {
            return Ok(true);
        }
        let mut head = BatchBuilder::new(self.columns.clone());
        head.add(&Row::of_run(facts));
        let head = head.finish().map_err(DataFusionError::from)?;
        for condition in &self.conditions {
            let met = condition.evaluate(&head)?.into_array(1)?;
            let met: Option<&BooleanArray> = met.as_boolean_opt();
            if !met.is_some_and(|met| met.iter().all(|met| met == Some(true))) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

fn unqualified(condition: Expr) -> Result<Expr> {
    use datafusion::common::Column;
    use datafusion::common::tree_node::{Transformed, TreeNode};
    let bare = condition.transform(|part| {
        Ok(match part {
            Expr::Column(column) if column.relation.is_some() => {
                Transformed::yes(Expr::Column(Column::new_unqualified(column.name)))
            }
            other => Transformed::no(other),
        })
    })?;
    Ok(bare.data)
}
