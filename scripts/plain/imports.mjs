import { dirname, join } from 'node:path'

/** An import or re-export of a file of the same package. Those of types alone leave no trace at run time. */
const IMPORT = /^(?:import|export)\s(?!type\s)([^'"]*?)\s*(?:from\s*)?'(\.{1,2}\/[^']+)'/gm
const ONLY_TYPES = /^\{\s*(?:type\s+\w+(?:\s+as\s+\w+)?\s*,?\s*)+\}$/

/** Returns the paths that a file imports by value, without extensions: `src/space/space`. */
export function importsOf(path, text) {
  return Array.from(text.matchAll(IMPORT))
    .filter(([, names]) => !ONLY_TYPES.test(names.trim()))
    .map(([, , target]) => join(dirname(path), target).replace(/\.(?:js|tsx?|css)$/, ''))
}

/** Returns the strongly connected components of more than one node, each sorted, by Tarjan's algorithm. */
export function knotsOf(edges) {
  const indices = new Map()
  const lows = new Map()
  const stack = []
  const knots = []
  const visit = (node) => {
    indices.set(node, indices.size)
    lows.set(node, indices.get(node))
    stack.push(node)
    for (const next of edges.get(node) ?? []) {
      if (!indices.has(next)) visit(next)
      if (stack.includes(next)) lows.set(node, Math.min(lows.get(node), lows.get(next)))
    }
    if (lows.get(node) !== indices.get(node)) return
    const knot = stack.splice(stack.indexOf(node))
    if (knot.length > 1) knots.push(knot.sort())
  }
  for (const node of edges.keys()) if (!indices.has(node)) visit(node)
  return knots
}

/** Returns, for each folder of a package's `src` and each file next to them, what it imports from by value. */
export function folderEdges(files, src) {
  const folderOf = (path) => (dirname(path) === src ? path.replace(/\.tsx?$/, '') : dirname(path)).slice(src.length + 1)
  const edges = new Map()
  for (const [path, text] of files) {
    const from = folderOf(path)
    const targets = edges.get(from) ?? new Set()
    edges.set(from, targets)
    for (const target of importsOf(path, text)) {
      if (target.startsWith(`${src}/`) && folderOf(target) !== from) targets.add(folderOf(target))
    }
  }
  return edges
}

/** The floors of the page, from the top. Each imports those below. */
const FLOORS = ['app', 'features', 'shared', 'languages']

/** Lists the imports of the page that point to a higher floor. */
export function importsUp(files, src) {
  const floorOf = (path) => FLOORS.indexOf(path.slice(src.length + 1).split('/')[0])
  return [...files].flatMap(([path, text]) =>
    importsOf(path, text)
      .filter((target) => target.startsWith(`${src}/`) && floorOf(path) > floorOf(target) && floorOf(target) >= 0)
      .map((target) => `${path} -> ${target}`),
  )
}
