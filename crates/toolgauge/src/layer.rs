//! What was typed, as a layer of settings.

use std::path::PathBuf;

use toolgauge_engine::Settings;
pub(crate) use toolgauge_engine::settings::Layer;

use crate::failure::Failure;

/// The folder of logs: the one that was named, else that of the settings.
pub(crate) fn log_folder(named: Option<&str>) -> Result<PathBuf, Failure> {
    let layer = Layer::default().with("run", "log_dir", named);
    Ok(PathBuf::from(Settings::resolve(&[layer.table()])?.run.log_dir))
}
