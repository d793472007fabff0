const PREFIX = /^(?:و?ال|[بكف]ال|لل|و)(?=.{3})/u;
const SUFFIX = /(?<=.{2})(?:ها|ان|ات|ون|ين|يه|[هي])$/u;

/** Light stemming: the article and joined particles in front, endings of number and gender behind. */
export const stemArabic = (word: string): string =>
  word.replaceAll('ة', 'ه').replaceAll('ى', 'ي').replace(PREFIX, '').replace(SUFFIX, '');
