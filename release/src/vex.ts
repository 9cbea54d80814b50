import { readFileSync, writeFileSync } from 'node:fs'
import { inCheckout } from './checkout.js'
import type { Notice } from './notices.js'

/** A manual assessment of known vulnerabilities of a library. */
interface Judgement {
  readonly library: string
  readonly justification: string
  readonly reason: string
  readonly vulnerabilities: readonly string[]
}

/** Writes in OpenVEX why known vulnerabilities of the embedded PostgreSQL's libraries are not exploitable. */
export function writeVex(file: string, version: string, native: readonly Notice[], seconds: number): void {
  const judgements: Judgement[] = JSON.parse(readFileSync(inCheckout('release/files/postgresql-vex.json'), 'utf8'))
  const inside = new Set(native.map(({ name, version }) => `${name} ${version}`))
  const outdated = judgements.find(({ library }) => !inside.has(library))
  if (outdated) throw new Error(`release/files/postgresql-vex.json is about ${outdated.library}, which is not in it`)
  const content = {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': `https://github.com/collab-spaces/collab-spaces/vex/${version}`,
    author: 'Collaboration Spaces',
    timestamp: new Date(1_000 * seconds).toISOString(),
    version: 1,
    statements: judgements.flatMap(({ library, justification, reason, vulnerabilities }) =>
      vulnerabilities.map((name) => ({
        vulnerability: { name },
        products: [{ '@id': `pkg:generic/${library.replace(' ', '@')}` }],
        status: 'not_affected',
        justification,
        impact_statement: reason,
      })),
    ),
  }
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`)
}
