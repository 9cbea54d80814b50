import type { Summary } from '@collab-spaces/client'
import { markdown } from '../terminal/markdown.js'
import { counted } from '../terminal/prose.js'
import type { Style } from '../terminal/style.js'
import { joined, type StyledText } from '../terminal/styled.js'
import { clockTime } from '../terminal/time.js'

export function oneSummary(summary: Summary, style: Style): StyledText {
  const { window_start, window_end, event_count, model, summary_text } = summary
  const window = `${clockTime(window_start)} to ${clockTime(window_end)}`
  const about = `${window} · ${counted(event_count, 'event')} · ${model}`
  return joined([style.dim(about), markdown(summary_text, style)], '\n\n')
}
