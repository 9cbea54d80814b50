import { type Operation, operations } from '@collab-spaces/api'

/** The operations of one path. */
interface Route {
  readonly operations: Map<string, Operation>
  /** Its methods, for `Allow`. */
  allow: string
  /** Its parameters, in the order of the path. */
  readonly names: readonly string[]
}

export interface Match {
  readonly route: Route
  /** The path's parameters, still encoded, in the order of `route.names`. */
  readonly values: readonly string[]
}

interface Node {
  readonly literals: Map<string, Node>
  parameter: Node | null
  route: Route | null
}

const newNode = (): Node => ({ literals: new Map(), parameter: null, route: null })

const PARAMETER = /^\{(\w+)\}$/

/**
 * Finds the operations of a path. Segments are compared as they were sent, without normalization: `..` and an encoded slash
 * are just text. A literal segment (`stream`, `me`) wins over a parameter.
 */
export class Routes {
  readonly #root = newNode()

  constructor() {
    for (const operation of operations) this.#add(operation)
  }

  #add(operation: Operation): void {
    const names: string[] = []
    let node = this.#root
    for (const segment of operation.meta.openapi.path.split('/').slice(1)) {
      const name = PARAMETER.exec(segment)?.[1]
      if (name) names.push(name)
      node = name ? parameterOf(node) : literalOf(node, segment)
    }
    node.route ??= { operations: new Map(), allow: '', names }
    node.route.operations.set(operation.meta.openapi.method, operation)
    node.route.allow = allowed([...node.route.operations.keys()])
  }

  /** Finds a route; null for an unknown path. */
  find(path: string): Match | null {
    const values: string[] = []
    let node = this.#root
    for (const segment of path.split('/').slice(1)) {
      const literal = node.literals.get(segment)
      if (!literal) {
        if (!node.parameter || segment === '') return null
        values.push(segment)
      }
      node = literal ?? (node.parameter as Node)
    }
    return node.route && { route: node.route, values }
  }
}

function parameterOf(node: Node): Node {
  node.parameter ??= newNode()
  return node.parameter
}

function literalOf(node: Node, segment: string): Node {
  const next = node.literals.get(segment) ?? newNode()
  node.literals.set(segment, next)
  return next
}

/** HEAD is supported wherever GET is. */
const allowed = (methods: readonly string[]) =>
  methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
