//! Tables that pandas, Polars, DuckDB and pyarrow take without copying.

use std::sync::Arc;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    ArrayRef, BooleanArray, Float64Array, RecordBatch, RecordBatchIterator, StringArray,
    TimestampMicrosecondArray, UInt64Array,
};
use arrow_schema::{Field, Schema};
use indexmap::IndexMap;
use maud::html;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList};

use crate::errors::failure;

/// How many rows a notebook shows.
const ROWS_SHOWN: usize = 20;

/// One value of a row. Its kind is that of its whole column.
pub(crate) enum ColumnValue {
    Text(Option<String>),
    Number(Option<f64>),
    Count(Option<u64>),
    Flag(Option<bool>),
    /// Microseconds since 1970, in UTC.
    Time(Option<i64>),
}

impl ColumnValue {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::Text(Some(text.into()))
    }
}

/// The values of one column, one for each row.
enum ColumnValues {
    Text(Vec<Option<String>>),
    Number(Vec<Option<f64>>),
    Count(Vec<Option<u64>>),
    Flag(Vec<Option<bool>>),
    Time(Vec<Option<i64>>),
}

impl ColumnValues {
    fn like(value: &ColumnValue) -> Self {
        match value {
            ColumnValue::Text(_) => Self::Text(Vec::new()),
            ColumnValue::Number(_) => Self::Number(Vec::new()),
            ColumnValue::Count(_) => Self::Count(Vec::new()),
            ColumnValue::Flag(_) => Self::Flag(Vec::new()),
            ColumnValue::Time(_) => Self::Time(Vec::new()),
        }
    }

    fn resize(&mut self, rows: usize) {
        match self {
            Self::Text(values) => values.resize(rows, None),
            Self::Number(values) => values.resize(rows, None),
            Self::Count(values) => values.resize(rows, None),
            Self::Flag(values) => values.resize(rows, None),
            Self::Time(values) => values.resize(rows, None),
        }
    }

    /// Adds a value; one of another kind than the column's is left out.
    fn push(&mut self, value: ColumnValue) {
        match (self, value) {
            (Self::Text(values), ColumnValue::Text(value)) => values.push(value),
            (Self::Number(values), ColumnValue::Number(value)) => values.push(value),
            (Self::Count(values), ColumnValue::Count(value)) => values.push(value),
            (Self::Flag(values), ColumnValue::Flag(value)) => values.push(value),
            (Self::Time(values), ColumnValue::Time(value)) => values.push(value),
            (_, _) => {}
        }
    }

    fn array(self) -> ArrayRef {
        match self {
            Self::Text(values) => Arc::new(StringArray::from(values)),
            Self::Number(values) => Arc::new(Float64Array::from(values)),
            Self::Count(values) => Arc::new(UInt64Array::from(values)),
            Self::Flag(values) => Arc::new(BooleanArray::from(values)),
            Self::Time(values) => {
                Arc::new(TimestampMicrosecondArray::from(values).with_timezone("UTC"))
            }
        }
    }
}

/// A table while its rows are collected. Columns may come up late: rows before have no value there.
#[derive(Default)]
pub(crate) struct TableRows {
    columns: IndexMap<String, ColumnValues>,
    rows: usize,
}

impl TableRows {
    /// Adds a row.
    pub(crate) fn add(&mut self, row: impl IntoIterator<Item = (String, ColumnValue)>) {
        for (name, value) in row {
            let column = self.columns.entry(name).or_insert_with(|| ColumnValues::like(&value));
            column.resize(self.rows);
            column.push(value);
        }
        self.rows += 1;
    }

    pub(crate) fn finish(self) -> PyResult<Table> {
        let (mut fields, mut arrays) = (Vec::new(), Vec::new());
        for (name, mut values) in self.columns {
            values.resize(self.rows);
            let array = values.array();
            fields.push(Field::new(name, array.data_type().clone(), true));
            arrays.push(array);
        }
        let options = arrow_array::RecordBatchOptions::new().with_row_count(Some(self.rows));
        let schema = Arc::new(Schema::new(fields));
        let batch = RecordBatch::try_new_with_options(schema, arrays, &options).map_err(failure)?;
        Ok(Table { batch })
    }
}

/// A table that other libraries take over through Arrow's C interface.
#[pyclass(frozen, module = "toolgauge")]
pub(crate) struct Table {
    batch: RecordBatch,
}

#[pymethods]
impl Table {
    /// The table as a stream, for `pandas.DataFrame.from_arrow`, `polars.DataFrame` and others.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The protocol allows to leave the wish for another schema unmet.
        let _ = requested_schema;
        let schema = self.batch.schema();
        let batches = RecordBatchIterator::new([Ok(self.batch.clone())], schema);
        let stream = FFI_ArrowArrayStream::new(Box::new(batches));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.batch.schema().fields().iter().map(|field| field.name().clone()).collect()
    }

    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    /// The columns as lists, for those who have none of these libraries. Times are seconds.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (field, column) in self.batch.schema().fields().iter().zip(self.batch.columns()) {
            let values = PyList::empty(py);
            for row in 0..column.len() {
                values.append(cell(py, column, row)?)?;
            }
            dict.set_item(field.name(), values)?;
        }
        Ok(dict)
    }

    fn __repr__(&self) -> String {
        format!("Table({} rows, {} columns)", self.batch.num_rows(), self.batch.num_columns())
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let shown = self.batch.num_rows().min(ROWS_SHOWN);
        let mut rows = Vec::with_capacity(shown);
        for row in 0..shown {
            let cells = self.batch.columns().iter().map(|column| {
                let value = cell(py, column, row)?;
                Ok(if value.is_none() { String::new() } else { value.str()?.to_string() })
            });
            rows.push(cells.collect::<PyResult<Vec<String>>>()?);
        }
        let page = html! {
            table {
                tr { @for name in self.columns() { th { (name) } } }
                @for row in rows { tr { @for cell in row { td { (cell) } } } }
            }
            p { (self.batch.num_rows()) " rows" }
        };
        Ok(page.into_string())
    }
}

fn cell<'py>(py: Python<'py>, column: &ArrayRef, row: usize) -> PyResult<Bound<'py, PyAny>> {
    use arrow_array::Array;
    if column.is_null(row) {
        return Ok(py.None().into_bound(py));
    }
    let any = column.as_any();
    if let Some(values) = any.downcast_ref::<StringArray>() {
        return Ok(values.value(row).into_pyobject(py)?.into_any());
    }
    if let Some(values) = any.downcast_ref::<Float64Array>() {
        return Ok(values.value(row).into_pyobject(py)?.into_any());
    }
    if let Some(values) = any.downcast_ref::<UInt64Array>() {
        return Ok(values.value(row).into_pyobject(py)?.into_any());
    }
    if let Some(values) = any.downcast_ref::<BooleanArray>() {
        return Ok(values.value(row).into_pyobject(py)?.to_owned().into_any());
    }
    if let Some(values) = any.downcast_ref::<TimestampMicrosecondArray>() {
        #[expect(clippy::cast_precision_loss, reason = "microseconds of this century fit")]
        let seconds = values.value(row) as f64 / 1e6;
        return Ok(seconds.into_pyobject(py)?.into_any());
    }
    Ok(py.None().into_bound(py))
}
