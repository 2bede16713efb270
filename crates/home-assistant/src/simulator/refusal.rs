//! Why a service did not do its work.

use super::reply::CallFailure;

/// Why a service did not do its work.
#[derive(Debug)]
pub(super) enum ServiceRefusal {
    /// There is no such service for the entity, which shows before anything is tried.
    AtOnce,
    /// The entity lacks what the action of this name needs.
    Unsupported(&'static str),
    /// The service, or what a scene does, failed in these words.
    Raised(CallFailure),
    /// The service was called and refused.
    ByService,
}

impl ServiceRefusal {
    /// The service was asked for something that an entity cannot be.
    pub(super) fn invalid(text: String) -> Self {
        Self::Raised(CallFailure::raised("ServiceValidationError", text))
    }

    /// What is left where nobody looks at what a service raises.
    pub(super) fn swallowed(self) -> Result<(), Self> {
        match self {
            Self::AtOnce => Err(self),
            Self::Unsupported(_) | Self::Raised(_) | Self::ByService => Ok(()),
        }
    }
}
