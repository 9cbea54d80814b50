import { copyText } from '../components/CopyField'
import { texts } from '../texts'
import { say } from './Toast'

/** Puts the whole address of something within the page on the clipboard, and says so. */
export async function copyLink(path: string): Promise<void> {
  await copyText(window.location.origin + path)
  say(texts.linkCopied)
}

/** Copies the text of a message as it was written, and reports it. */
export async function copySource(text: string): Promise<void> {
  await copyText(text)
  say(texts.textCopied)
}
