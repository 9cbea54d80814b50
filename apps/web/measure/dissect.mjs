// What frames were made of, from a trace of Chromium.

/** What the page's own thread does, by the names that Chromium gives to it. What has another name counts to what it is in. */
const WORK = [
  ['gc', /^(MinorGC|MajorGC|V8\.GC|BlinkGC|CppGC)/],
  [
    'script',
    /^(FunctionCall|EvaluateScript|TimerFire|FireAnimationFrame|FireIdleCallback|RunMicrotasks|EventDispatch|v8)/,
  ],
  ['layout', /^(Layout|UpdateLayoutTree|RecalculateStyles)$/],
  ['paint', /^(PrePaint|Paint|Layerize|Commit|UpdateLayer|CompositeLayers)$/],
]
/** Threads that draw what the page's own thread has said, and show it. */
const DRAWING = /^(Compositor|ThreadPoolForegroundWorker|VizCompositor|CrGpuMain|Chrome_InProcGpu|DrDc)/

/**
 * For each frame, how long its parts took in milliseconds: what the page's own thread did on the processor (`script`,
 * `layout`, `paint`, `gc`, `other`), how long that was kept off the processor meanwhile (`held up`), how long it had
 * nothing to do while other threads were drawing (`drawing`), and while they had nothing to do, either (`waiting`).
 */
export function dissect(events, frames, mainThread) {
  const works = worksOf(events.filter(({ thread }) => thread === mainThread))
  const busy = union(works)
  const drawing = union(events.filter(({ thread, threadName }) => thread !== mainThread && DRAWING.test(threadName)))
  return frames.map((frame) => {
    const parts = { script: 0, layout: 0, paint: 0, gc: 0, other: 0, 'held up': 0 }
    for (const { kind, share, pieces } of works) {
      const took = length(within(pieces, frame))
      parts[kind] += took * share
      parts['held up'] += took * (1 - share)
    }
    const idle = gaps(within(busy, frame), frame)
    parts.drawing = idle.reduce((sum, gap) => sum + length(within(drawing, gap)), 0)
    parts.waiting = length(idle) - parts.drawing
    return parts
  })
}

/** How long the page's own thread was on the processor: what the page can be blamed for. */
export const ownOf = ({ script, layout, paint, gc, other }) => script + layout + paint + gc + other

/** What was done on a thread: the kind of each piece of work, when it ran, and how much of that on the processor. */
function worksOf(events) {
  const works = []
  const open = []
  for (const event of events.toSorted((a, b) => a.begin - b.begin || b.end - a.end)) {
    while (open.length > 0 && open.at(-1).end <= event.begin) open.pop()
    const parent = open.at(-1)
    const work = { ...event, kind: kindOf(event.name) ?? parent?.kind ?? 'other', children: [] }
    parent?.children.push(work)
    works.push(work)
    open.push(work)
  }
  return works.map(({ children, ...work }) => {
    const pieces = gaps(children, work)
    const cpu = work.cpu - children.reduce((sum, { cpu }) => sum + cpu, 0)
    return { ...work, pieces, share: Math.min(1, Math.max(0, cpu / length(pieces) || 0)) }
  })
}

function kindOf(name) {
  return WORK.find(([, names]) => names.test(name))?.[0]
}

const length = (spans) => spans.reduce((sum, { begin, end }) => sum + end - begin, 0)

/** What of some spans is within another one. */
const within = (spans, { begin, end }) =>
  spans
    .filter((span) => span.end > begin && span.begin < end)
    .map((span) => ({ begin: Math.max(span.begin, begin), end: Math.min(span.end, end) }))

/** The same time as spans that do not overlap, in their order. */
function union(spans) {
  const found = []
  for (const { begin, end } of spans.toSorted((a, b) => a.begin - b.begin)) {
    const last = found.at(-1)
    if (last && begin <= last.end) last.end = Math.max(last.end, end)
    else found.push({ begin, end })
  }
  return found
}

/** What lies between spans that are in order and do not overlap, from one end of a longer one to the other. */
function gaps(spans, { begin, end }) {
  const edges = [...spans, { begin: end, end }]
  let at = begin
  return edges.flatMap((span) => {
    const gap = { begin: at, end: span.begin }
    at = Math.max(at, span.end)
    return gap.end > gap.begin ? [gap] : []
  })
}
