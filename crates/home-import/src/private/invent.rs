//! Words that mean nothing, in the shape of others.

/// Invents words from a seed.
pub(super) struct Invention {
    seed: u64,
}

impl Invention {
    pub(super) fn new(seed: u64) -> Self {
        Self { seed }
    }

    /// One of so many choices, which the word and the seed decide.
    pub(super) fn pick(&self, word: &str, choices: usize) -> usize {
        usize::try_from(self.hash(word, 0) % choices.max(1) as u64).unwrap_or_default()
    }

    /// A word of the same length, with vowels where there were vowels and digits where there were
    /// digits. Each attempt gives another.
    pub(super) fn word(&self, word: &str, attempt: u64) -> String {
        let mut invented: String = word
            .chars()
            .zip(1..)
            .map(|(letter, at)| other(letter, self.hash(word, attempt * 1000 + at)))
            .collect();
        // A short word has few others of its length: it grows.
        for more in 0..attempt / 20 {
            invented.push(other('a', self.hash(word, attempt * 1000 + 500 + more)));
        }
        invented
    }

    fn hash(&self, word: &str, salt: u64) -> u64 {
        let start = 0xcbf2_9ce4_8422_2325 ^ self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ salt;
        let hash = word
            .bytes()
            .chain(salt.to_le_bytes())
            .fold(start, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        // The low bits of this hash depend on the low bits of the letters alone.
        (hash ^ (hash >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 17
    }
}

const VOWELS: [char; 5] = ['a', 'e', 'i', 'o', 'u'];
const CONSONANTS: [char; 15] =
    ['b', 'd', 'f', 'g', 'k', 'l', 'm', 'n', 'p', 'r', 's', 't', 'v', 'w', 'z'];

/// Another letter of the same kind.
fn other(letter: char, chance: u64) -> char {
    let pick = |choices: &[char]| {
        let at = usize::try_from(chance % choices.len() as u64).unwrap_or_default();
        choices[at]
    };
    match letter {
        '0'..='9' => pick(&['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']),
        'ä' | 'ö' | 'ü' => pick(&['ä', 'ö', 'ü']),
        letter if VOWELS.contains(&letter) => pick(&VOWELS),
        'a'..='z' => pick(&CONSONANTS),
        // Letters of other alphabets become their neighbours.
        letter => {
            let row = u32::from(letter) & !0xF;
            let neighbours: Vec<char> = (row..row + 16)
                .filter_map(char::from_u32)
                .filter(|c| c.is_alphabetic() && c.is_lowercase() == letter.is_lowercase())
                .collect();
            if neighbours.is_empty() { letter } else { pick(&neighbours) }
        }
    }
}
