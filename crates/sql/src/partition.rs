//! Some of the logs of a table, read one after another.

use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::{DataFusionError, Result};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_plan::stream::RecordBatchReceiverStreamBuilder;
use datafusion::physical_plan::streaming::PartitionStream;
use toolgauge_log::{Log, LogError, TrialRecord};
use toolgauge_tables::{BatchBuilder, Column, Row, Source, TableName, TrialFacts, schema};

use crate::logs::QueriedLog;

/// How many batches may be ready before they are asked for.
const AHEAD: usize = 2;

/// Some of the logs of a table.
#[derive(Clone, Debug)]
pub(crate) struct LogPartition {
    logs: Arc<[QueriedLog]>,
    places: Vec<usize>,
    table: TableName,
    columns: Vec<&'static Column>,
    schema: SchemaRef,
}

/// Nobody wants more rows.
struct Enough;

/// Gives batches to the engine; an error says that it wants no more.
type Give<'a> = &'a mut dyn FnMut(Result<RecordBatch>) -> std::result::Result<(), Enough>;

impl LogPartition {
    pub(crate) fn new(
        logs: Arc<[QueriedLog]>,
        places: Vec<usize>,
        table: TableName,
        columns: Vec<&'static Column>,
    ) -> Self {
        let schema = schema(columns.iter().copied());
        Self { logs, places, table, columns, schema }
    }

    /// What must be read for the rows and the columns that are wanted.
    fn source(&self) -> Source {
        let columns = self.columns.iter().map(|column| column.source);
        columns.max().unwrap_or(Source::Head).max(self.table.rows_from())
    }

    fn read_all(&self, give: Give<'_>) -> std::result::Result<(), Enough> {
        for place in &self.places {
            let log = &self.logs[*place];
            if self.source() == Source::Head {
                let mut batch = BatchBuilder::new(self.columns.clone());
                batch.add(&Row::of_run(&log.facts));
                give(batch.finish().map_err(DataFusionError::from))?;
                continue;
            }
            match log.open() {
                Ok(opened) => self.read(log, &opened, give)?,
                Err(error) => give(Err(DataFusionError::External(Box::new(error))))?,
            }
        }
        Ok(())
    }

    fn read(
        &self,
        log: &QueriedLog,
        opened: &Log,
        give: Give<'_>,
    ) -> std::result::Result<(), Enough> {
        let mut trials = 0;
        let mut give = |chunk: Chunk| {
            trials += chunk.trials;
            log.note(&chunk.unreadable, trials);
            if chunk.batch.is_empty() {
                return Ok(());
            }
            give(chunk.batch.finish().map_err(DataFusionError::from))
        };
        if self.source() == Source::Samples {
            let make = || Chunk::new(&self.columns);
            let add = |chunk: &mut Chunk, trial: std::result::Result<TrialRecord<'_>, LogError>| {
                chunk.add(trial.as_ref().map(TrialFacts::from), self.table, log);
                chunk.unreadable.extend(trial.err());
            };
            return opened.gather(make, add, give);
        }
        let mut summaries = opened.summaries().peekable();
        while summaries.peek().is_some() {
            let mut chunk = Chunk::new(&self.columns);
            for summary in summaries.by_ref().take(Log::AT_ONCE) {
                chunk.add(summary.as_ref().map(TrialFacts::from), self.table, log);
                chunk.unreadable.extend(summary.err());
            }
            give(chunk)?;
        }
        Ok(())
    }
}

impl PartitionStream for LogPartition {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, _: Arc<TaskContext>) -> SendableRecordBatchStream {
        let mut stream = RecordBatchReceiverStreamBuilder::new(Arc::clone(&self.schema), AHEAD);
        let (partition, sender) = (self.clone(), stream.tx());
        stream.spawn_blocking(move || {
            let mut give = |batch| sender.blocking_send(batch).map_err(|_| Enough);
            // Whoever has enough needs no error.
            let _ = partition.read_all(&mut give);
            Ok(())
        });
        stream.build()
    }
}

/// Rows of some trials.
struct Chunk {
    batch: BatchBuilder,
    trials: usize,
    unreadable: Vec<LogError>,
}

impl Chunk {
    fn new(columns: &[&'static Column]) -> Self {
        Self { batch: BatchBuilder::new(columns.to_vec()), trials: 0, unreadable: Vec::new() }
    }

    fn add<'a>(
        &mut self,
        trial: std::result::Result<TrialFacts<'a>, &LogError>,
        table: TableName,
        log: &QueriedLog,
    ) {
        let Ok(trial) = trial else { return };
        self.trials += 1;
        table.rows_of(&log.facts, &trial, |row| self.batch.add(&row));
    }
}
