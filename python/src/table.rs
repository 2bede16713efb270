//! Tables that pandas, Polars, DuckDB and pyarrow take without copying.

use std::sync::Arc;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    Array, ArrayRef, BooleanArray, Date32Array, Float64Array, Int64Array, MapArray, RecordBatch,
    RecordBatchIterator, RecordBatchOptions, StringArray, TimestampMicrosecondArray,
};
use arrow_schema::{Field, Schema};
use indexmap::IndexMap;
use jiff::ToSpan;
use jiff::civil::Date;
use maud::html;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList};
use toolgauge_tables::BatchBuilder;

use crate::errors::failure;

/// How many rows a notebook shows.
const ROWS_SHOWN: usize = 20;

/// What the columns are called that a map is spread into, before the name of each of its items.
fn item_prefix(column: &str) -> &str {
    match column {
        "dimensions" => "dimension",
        "scores" => "scorer",
        "tags" => "tag",
        other => other,
    }
}

/// A table of plain columns: a map becomes a column for each of its names.
pub(crate) fn finish(rows: BatchBuilder) -> PyResult<Table> {
    let batch = rows.finish().map_err(failure)?;
    let (mut fields, mut arrays) = (Vec::new(), Vec::new());
    for (field, array) in batch.schema().fields().iter().zip(batch.columns()) {
        let spread = match array.as_any().downcast_ref::<MapArray>() {
            Some(map) => items(item_prefix(field.name()), map),
            None => vec![(field.name().clone(), array.clone())],
        };
        for (name, array) in spread {
            fields.push(Field::new(name, array.data_type().clone(), true));
            arrays.push(array);
        }
    }
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    let schema = Arc::new(Schema::new(fields));
    let batch = RecordBatch::try_new_with_options(schema, arrays, &options).map_err(failure)?;
    Ok(Table { batch })
}

/// A column for each name in a map, in the order in which they come up.
fn items(prefix: &str, map: &MapArray) -> Vec<(String, ArrayRef)> {
    let Some(names) = map.keys().as_any().downcast_ref::<StringArray>() else { return Vec::new() };
    let offsets = map.value_offsets();
    // Of each name, where its value stands, by row.
    let mut places: IndexMap<&str, Vec<Option<usize>>> = IndexMap::new();
    for row in 0..map.len() {
        let place = |at: usize| usize::try_from(offsets[at]).unwrap_or_default();
        for at in place(row)..place(row + 1) {
            let rows = places.entry(names.value(at)).or_default();
            rows.resize(row, None);
            rows.push(Some(at));
        }
    }
    let column = |(name, mut rows): (&str, Vec<Option<usize>>)| {
        rows.resize(map.len(), None);
        (format!("{prefix}.{name}"), picked(map.values(), &rows))
    };
    places.into_iter().map(column).collect()
}

/// The values at these places.
fn picked(values: &ArrayRef, places: &[Option<usize>]) -> ArrayRef {
    let known = |place: &Option<usize>| place.filter(|place| values.is_valid(*place));
    let places = places.iter().map(known);
    let any = values.as_any();
    if let Some(values) = any.downcast_ref::<Float64Array>() {
        return Arc::new(Float64Array::from_iter(places.map(|at| at.map(|at| values.value(at)))));
    }
    if let Some(values) = any.downcast_ref::<BooleanArray>() {
        return Arc::new(BooleanArray::from_iter(places.map(|at| at.map(|at| values.value(at)))));
    }
    let texts = any.downcast_ref::<StringArray>();
    Arc::new(StringArray::from_iter(places.map(|at| Some(texts?.value(at?)))))
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

    /// The columns as lists, for those who have none of these libraries. Times are seconds, days are
    /// texts.
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
    if let Some(values) = any.downcast_ref::<Int64Array>() {
        return Ok(values.value(row).into_pyobject(py)?.into_any());
    }
    if let Some(values) = any.downcast_ref::<BooleanArray>() {
        return Ok(values.value(row).into_pyobject(py)?.to_owned().into_any());
    }
    if let Some(values) = any.downcast_ref::<Date32Array>() {
        let day = Date::constant(1970, 1, 1).saturating_add(values.value(row).days());
        return Ok(day.to_string().into_pyobject(py)?.into_any());
    }
    if let Some(values) = any.downcast_ref::<TimestampMicrosecondArray>() {
        #[expect(clippy::cast_precision_loss, reason = "microseconds of this century fit")]
        let seconds = values.value(row) as f64 / 1e6;
        return Ok(seconds.into_pyobject(py)?.into_any());
    }
    Ok(py.None().into_bound(py))
}
