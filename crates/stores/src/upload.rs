//! Sends objects to a store, large ones in parts.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;

use bytes::Bytes;
use object_store::path::Path;
use object_store::{MultipartUpload, ObjectStoreExt as _, PutMode, PutPayload};
use toolgauge_log::ReadAt;

use crate::clients::{Bucket, StoreClients};
use crate::failure::explain;

/// Objects of this size and above are sent in parts.
const LARGE: u64 = 32 << 20;
/// The least that a part holds.
const PART: u64 = 8 << 20;
/// How much is read at once: what is larger goes back to the system late, so that all parts of an
/// upload would seem to be held at once.
const PIECE: u64 = 1 << 20;
/// The most parts that stores take is 10,000.
const MOST_PARTS: u64 = 9_000;
/// How many parts are under way at once, which bounds the memory.
const PARTS_AT_ONCE: usize = 4;

impl StoreClients {
    /// Puts a small object at an address.
    pub(crate) fn put_as(
        &self,
        address: &str,
        content: PutPayload,
        mode: PutMode,
    ) -> io::Result<()> {
        let (bucket, key) = self.locate(address)?;
        let store = bucket.uploads.clone();
        let put = async move { store.put_opts(&key, content, mode.into()).await };
        self.ask(&bucket, put).map(drop)
    }

    /// Puts the beginning of a file at an address.
    pub(crate) fn send(&self, file: &dyn ReadAt, length: u64, address: &str) -> io::Result<()> {
        if length < LARGE {
            return self.put_as(address, read_part(file, 0, length)?, PutMode::Overwrite);
        }
        let (bucket, key) = self.locate(address)?;
        self.upload_parts(file, length, (&bucket, &key))
    }

    fn upload_parts(
        &self,
        file: &dyn ReadAt,
        length: u64,
        (bucket, key): (&Arc<Bucket>, &Path),
    ) -> io::Result<()> {
        let (store, asked) = (bucket.uploads.clone(), key.clone());
        let mut upload = self.ask(bucket, async move { store.put_multipart(&asked).await })?;
        let sent = self.send_parts(file, length, &mut *upload, bucket);
        let ended = self.wait(async move {
            match sent {
                Ok(()) => Ok(upload.complete().await),
                Err(error) => {
                    // Parts that stay behind cost money and can be seen by nobody; the store may be
                    // gone, though, and then nothing helps.
                    let _ = upload.abort().await;
                    Err(error)
                }
            }
        })?;
        ended?.map(drop).map_err(|error| explain(&error, &bucket.name))
    }

    fn send_parts(
        &self,
        file: &dyn ReadAt,
        length: u64,
        upload: &mut dyn MultipartUpload,
        bucket: &Bucket,
    ) -> io::Result<()> {
        let lost = || io::Error::from(io::ErrorKind::ConnectionAborted);
        let part = PART.max(length.div_ceil(MOST_PARTS));
        let mut under_way = VecDeque::new();
        let mut at = 0;
        while at < length || !under_way.is_empty() {
            if at < length && under_way.len() < PARTS_AT_ONCE {
                let bytes = read_part(file, at, part.min(length - at))?;
                under_way.push_back(self.start(upload.put_part(bytes))?);
                at += part.min(length - at);
                continue;
            }
            let Some(first) = under_way.pop_front() else { break };
            let sent = self.wait(first)?.map_err(|_| lost())?;
            sent.map_err(|error| explain(&error, &bucket.name))?;
        }
        Ok(())
    }
}

fn read_part(file: &dyn ReadAt, at: u64, length: u64) -> io::Result<PutPayload> {
    let piece = |from: u64| {
        let length = PIECE.min(at + length - from);
        let mut bytes = vec![0; usize::try_from(length).map_err(|_| io::ErrorKind::OutOfMemory)?];
        if file.read_at(&mut bytes, from)? < bytes.len() {
            let why = "the file is shorter than it was";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        }
        Ok(Bytes::from(bytes))
    };
    let starts = (0..length.div_ceil(PIECE)).map(|number| at + number * PIECE);
    starts.map(piece).collect::<io::Result<PutPayload>>()
}
