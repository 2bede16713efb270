//! What was typed, as a layer of settings.

use std::path::PathBuf;

use toolgauge_engine::Settings;
pub(crate) use toolgauge_engine::settings::Layer;

use crate::failure::Failure;

/// The settings of a command that takes none but the folder of logs.
pub(crate) fn with_log_dir(named: Option<&str>) -> Result<Settings, Failure> {
    let layer = Layer::default().with("run", "log_dir", named);
    Ok(Settings::resolve(&[layer.table()])?)
}

/// The folder of logs: the one that was named, else that of the settings.
pub(crate) fn log_folder(named: Option<&str>) -> Result<PathBuf, Failure> {
    Ok(PathBuf::from(with_log_dir(named)?.run.log_dir))
}
