const ASCII = /^[\x20-\x7e]*$/;

/** Letters that are one character in some languages and are typed as other letters, or without their stroke, in most. */
const LETTERS: Record<string, string> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};
const LETTER = /[ßẞæÆœŒøØłŁđĐðþı]/g;

/**
 * Marks a reader adds or leaves out at will: accents (but й is a letter of its own), Arabic and Hebrew vowel signs.
 * Vowel signs of other scripts are letters and stay.
 */
const MARKS = /(?<!\p{Script=Cyrillic})\u0306|[\u0300-\u0305\u0307-\u036f\u0591-\u05c7\u0640\u064b-\u065f\u0670\s]/gu;

/** The same letters in the plainest form: no accents, no ligatures, no wide or raised variants. Case stays. */
export const foldText = (text: string): string =>
  ASCII.test(text)
    ? text
    : text
        .normalize('NFKD')
        .replace(MARKS, '')
        .replace(LETTER, (letter) => LETTERS[letter]!)
        .normalize('NFKC');
