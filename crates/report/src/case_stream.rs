//! Numbers of cases in the order in which they came, in as few bytes as that takes.

/// A case by the order in which it was first met, which is shorter than its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct CaseNumber(pub(crate) u32);

/// Numbers of cases, each with a mark. Of a number only its distance from the one before is kept:
/// trials mostly end in nearly the order of their cases, and then each takes a byte or two.
#[derive(Clone, Debug, Default)]
pub(crate) struct CaseStream {
    bytes: Vec<u8>,
    last: u32,
    len: usize,
}

impl CaseStream {
    pub(crate) fn push(&mut self, case: CaseNumber, mark: bool) {
        let distance = i64::from(case.0) - i64::from(self.last);
        self.last = case.0;
        self.len += 1;
        // The sign goes to the lowest bit, so that short distances back are small numbers too.
        let sign = u64::from(distance < 0);
        let mut rest = (distance.unsigned_abs() << 1 | sign) << 1 | u64::from(mark);
        while rest >= 0x80 {
            self.bytes.push(rest.to_le_bytes()[0] | 0x80);
            rest >>= 7;
        }
        self.bytes.push(rest.to_le_bytes()[0]);
    }

    /// How many were pushed.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// What was pushed, in the same order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (CaseNumber, bool)> {
        let (mut bytes, mut last) = (self.bytes.iter(), 0_i64);
        std::iter::from_fn(move || {
            let (mut number, mut shift) = (0_u64, 0);
            loop {
                let byte = *bytes.next()?;
                number |= u64::from(byte & 0x7f) << shift;
                shift += 7;
                if byte < 0x80 {
                    break;
                }
            }
            let distance = (number >> 2).cast_signed();
            last += if number & 2 == 0 { distance } else { -distance };
            let case = CaseNumber(u32::try_from(last).unwrap_or(u32::MAX));
            Some((case, number & 1 == 1))
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_goes_in_comes_out(
            pushed in proptest::collection::vec(
                (prop_oneof![0..300_u32, any::<u32>(), Just(u32::MAX)], any::<bool>()), 0..50,
            ),
        ) {
            let mut stream = CaseStream::default();
            let pushed: Vec<_> =
                pushed.into_iter().map(|(case, mark)| (CaseNumber(case), mark)).collect();
            for (case, mark) in &pushed {
                stream.push(*case, *mark);
            }
            prop_assert_eq!(stream.iter().collect::<Vec<_>>(), pushed);
        }
    }

    #[test]
    fn cases_in_order_take_a_byte_each() {
        let mut stream = CaseStream::default();
        (0..1000).for_each(|case| stream.push(CaseNumber(case), case % 3 == 0));
        assert_eq!(stream.bytes.len(), 1000);
    }
}
