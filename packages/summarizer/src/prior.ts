/** A sentence with this many meaningful words is clear on its own. */
const FULL = 7
/** A sentence with fewer is not worth quoting on its own. */
export const MIN_WORDS = 3

/** Greetings, thanks and small talk at the start of a sentence. Most such sentences already have too few words. */
const COURTESY =
  /^(?:good (?:morning|evening|afternoon|night)|morning|hello|hi|hey|thanks|thank you|cheers|welcome|congrat|happy birthday|see you|bye|lol|haha|btw|sorry|guten (?:morgen|tag|abend)|hallo|moin|servus|danke|vielen dank|tschüss|bis (?:morgen|später|dann|gleich)|schönen? |gern geschehen|bonjour|salut|bonsoir|merci|au revoir|hola|buen[oa]s |gracias|adiós|ciao|buongiorno|grazie|bom dia|boa |obrigad|goede(?:morgen|middag)|bedankt|dank je|おはよう|こんにち|こんばん|お疲れ|おつかれ|ありがと|すみません|よろしく|了解|はじめまして|早上好|早安|你好|您好|大家好|谢谢|感谢|多谢|再见|晚安|辛苦|哈哈|안녕|감사|고마|수고|สวัสดี|ขอบคุณ|ขอบใจ|ยินดีต้อนรับ|ลาก่อน|привет|здравствуй|спасибо|доброе утро|добрый )/iu

export interface Signals {
  readonly text: string
  /** The number of different meaningful words. */
  readonly words: number
  readonly asks: boolean
  readonly speakerType: string
  readonly hasReferences: boolean
}

/** Returns the weight of a sentence before it is compared with others. */
export function priorOf({ text, words, asks, speakerType, hasReferences }: Signals): number {
  let prior = Math.min(1, words / FULL)
  if (asks) prior *= 0.4
  if (COURTESY.test(text)) prior *= 0.3
  if (speakerType === 'system') prior *= 0.5
  // Readers later look up dates, sums and counts, and messages with references.
  if (/\p{N}/u.test(text)) prior *= 1.15
  if (hasReferences) prior *= 1.1
  return prior
}
