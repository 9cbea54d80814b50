import type { Summary } from '@collab-spaces/client'
import { clean, cleanLine } from '../terminal/clean.js'
import { counted } from '../terminal/count.js'
import { markdown } from '../terminal/markdown.js'
import type { Style } from '../terminal/style.js'
import { clockTime } from '../terminal/time.js'

export function oneSummary(summary: Summary, style: Style): string {
  const { window_start, window_end, event_count, model, summary_text } = summary
  const window = `${clockTime(window_start)} to ${clockTime(window_end)}`
  const about = `${window} · ${counted(event_count, 'event')} · ${cleanLine(model)}`
  return `${style.dim(about)}\n\n${markdown(clean(summary_text), style)}`
}
