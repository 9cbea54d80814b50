import { highlight } from './highlight'
import type { HighlightRequest } from './highlighter'

addEventListener('message', ({ data: { text, language } }: MessageEvent<HighlightRequest>) => {
  postMessage(highlight(text, language))
})

// The time limit of a block begins once this is loaded.
postMessage('ready')
