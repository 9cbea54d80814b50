import { texts } from '../texts'
import { toast } from '../toast'

/** Copies the absolute URL of a path, and shows a toast. */
export async function copyLink(path: string): Promise<void> {
  await copyText(window.location.origin + path)
  toast(texts.linkCopied)
}

/** Copies the Markdown source of a message, and shows a toast. */
export async function copySource(text: string): Promise<void> {
  await copyText(text)
  toast(texts.textCopied)
}

/** Copies a text. `navigator.clipboard` needs a secure context; elsewhere, `execCommand` does it. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const { activeElement } = document
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
  // Restores the focus.
  if (activeElement instanceof HTMLElement) activeElement.focus({ preventScroll: true })
}
