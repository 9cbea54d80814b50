import { highlight } from './highlight'
import type { HighlightRequest } from './highlighter'

addEventListener('message', ({ data: { text, language } }: MessageEvent<HighlightRequest>) => {
  postMessage(highlight(text, language))
})

// The timeout of a block starts only after the worker has loaded.
postMessage('ready')
