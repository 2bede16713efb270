//! What was typed, as a layer of settings.

use toolgauge_engine::Settings;
pub(crate) use toolgauge_engine::settings::Layer;

use crate::failure::Failure;

/// The settings of a command that takes none but the folder of logs.
pub(crate) fn with_log_dir(named: Option<&str>) -> Result<Settings, Failure> {
    let layer = Layer::default().with("run", "log_dir", named);
    Ok(Settings::resolve(&[layer.table()])?)
}
