import { texts } from '../texts'
import { say } from '../toast'

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

/** The clipboard exists only in pages that came over https or from this machine; elsewhere, the old command has to do. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const { activeElement } = document
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
  // The keyboard stays where it was.
  if (activeElement instanceof HTMLElement) activeElement.focus({ preventScroll: true })
}
