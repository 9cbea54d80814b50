/** With so many words that carry matter a sentence says something by itself. */
const FULL = 7
/** Fewer say nothing that could be quoted alone. */
export const LEAST_WORDS = 3

/**
 * Greetings, thanks, and small talk about itself, at the start of a sentence. Most of it never gets this far for
 * having too few words.
 */
const COURTESY =
  /^(?:good (?:morning|evening|afternoon|night)|morning|hello|hi|hey|thanks|thank you|cheers|welcome|congrat|happy birthday|see you|bye|lol|haha|btw|sorry|guten (?:morgen|tag|abend)|hallo|moin|servus|danke|vielen dank|tschüss|bis (?:morgen|später|dann|gleich)|schönen? |gern geschehen|bonjour|salut|bonsoir|merci|au revoir|hola|buen[oa]s |gracias|adiós|ciao|buongiorno|grazie|bom dia|boa |obrigad|goede(?:morgen|middag)|bedankt|dank je|おはよう|こんにち|こんばん|お疲れ|おつかれ|ありがと|すみません|よろしく|了解|はじめまして|早上好|早安|你好|您好|大家好|谢谢|感谢|多谢|再见|晚安|辛苦|哈哈|안녕|감사|고마|수고|สวัสดี|ขอบคุณ|ขอบใจ|ยินดีต้อนรับ|ลาก่อน|привет|здравствуй|спасибо|доброе утро|добрый )/iu

export interface Signals {
  readonly text: string
  /** How many different words carry matter. */
  readonly words: number
  readonly asks: boolean
  readonly speakerType: string
  readonly hasReferences: boolean
}

/** What speaks for or against a sentence before it is compared with others. */
export function priorOf({ text, words, asks, speakerType, hasReferences }: Signals): number {
  let prior = Math.min(1, words / FULL)
  if (asks) prior *= 0.4
  if (COURTESY.test(text)) prior *= 0.3
  if (speakerType === 'system') prior *= 0.5
  // Dates, sums and counts are what people look up later; so is what came with an artifact.
  if (/\p{N}/u.test(text)) prior *= 1.15
  if (hasReferences) prior *= 1.1
  return prior
}
