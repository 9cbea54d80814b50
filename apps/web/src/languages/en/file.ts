import { number } from '../format'
import { sizeInWords } from '../size'

export const attachTexts = {
  attach: 'Attach files',
  hint: (most: number, limit: number | null) =>
    `Up to ${number(most)} files per message${limit === null ? '' : `, each up to ${sizeInWords(limit)}`}. You can also paste or drop them.`,
  drop: 'Drop files to attach them',
  list: 'Attached files',
  tooMany: (most: number) => `A message has at most ${number(most)} files. Send the others with the next one.`,
  needsText: 'Write a message to send with the files.',
  hasFailed: 'Retry or remove the files that failed.',
  waiting: 'Waiting',
  waitsForConnection: 'Waiting for the connection',
  progress: (sent: number, size: number) => `${sizeInWords(sent)} of ${sizeInWords(size)}`,
  uploading: (name: string) => `Uploading ${name}`,
  uploaded: 'Ready',
  status: (done: number, all: number) => `${number(done)} of ${number(all)} files uploaded`,
  cancel: (name: string) => `Cancel ${name}`,
  remove: (name: string) => `Remove ${name}`,
  retry: (name: string) => `Retry ${name}`,
  tooLarge: (limit: number) => `Too large: files have at most ${sizeInWords(limit)}`,
  gone: 'This browser no longer has it: attach it again',
  unreadable: 'It cannot be read: is it a folder?',
  notUploaded: (name: string, reason: string) => `${name}: ${reason}`,
  /** The name of a pasted image, which has none. */
  pasted: (time: string) => `Pasted ${time}`,
}

export const fileTexts = {
  list: 'Files',
  open: (name: string) => `Open ${name}`,
  download: 'Download',
  downloadNamed: (name: string) => `Download ${name}`,
  gone: { deleted: 'Deleted', erased: 'Erased', unavailable: 'No longer available' },
  noImage: 'Not an image',
  erasedName: 'Erased file',
  sha256: (name: string) => `SHA-256 of ${name}`,
}

export const viewerTexts = {
  previous: 'Previous file',
  next: 'Next file',
  at: (at: number, all: number) => `${number(at)} of ${number(all)}`,
  noPreview: 'No preview',
  noPreviewText: 'Files of this type are not shown here. Download it to open it.',
  deletedTitle: 'This file was deleted',
  deletedText: 'Its name and hash stay in the history, but its content is gone.',
  goneTitle: 'This file is not available',
  goneText: 'It was removed, or you no longer have access to it.',
  cut: (size: number) => `Only the first ${sizeInWords(size)} are shown.`,
  rows: (shown: number, all: number) => `Only ${number(shown)} of ${number(all)} rows are shown.`,
  content: (name: string) => `Content of ${name}`,
  empty: 'The file is empty.',
}

export const filesPanelTexts = {
  title: 'Files',
  list: 'Files in this space',
  emptyTitle: 'No files yet',
  emptyText: 'Attach, paste or drop files when you write a message. Everyone here sees them.',
  more: 'Show older files',
  actions: (name: string) => `Actions for ${name}`,
  toMessage: 'Go to message',
  unsent: 'Not sent yet',
  delete: 'Delete…',
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteText:
    'Its content is removed for everyone and cannot be restored. The message and the name of the file stay in the history.',
  deleteConfirm: 'Delete',
}
