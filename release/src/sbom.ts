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
 * Writes the content of the tarball in CycloneDX. pnpm knows all packages that could be in it, including tools and
 * tests; those with a notice are in it. Software outside npm is added.
 */
export function writeBill(file: string, inside: readonly Notice[], native: readonly Notice[], seconds: number): void {
  pnpm('sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--out', file)
  const bill: Bill = JSON.parse(readFileSync(file, 'utf8'))
  rmSync(file)
  const names = new Set(inside.map(nameOf))
  const packages = bill.components.filter((component) => names.has(nameOf(component)))
  const known = new Set([...packages, ...native].map(nameOf))
  const unknown = [...names].filter((name) => !known.has(name))
  if (unknown.length > 0) throw new Error(`The bill of materials lacks ${unknown.join(', ')}`)
  const components = [...packages, ...native.map(componentOf)].sort((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1))
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

function componentOf({ name, version, license }: Notice) {
  return {
    type: 'library',
    name,
    version,
    'bom-ref': `pkg:generic/${name}@${version}`,
    purl: `pkg:generic/${name}@${version}`,
    licenses: [{ license: { name: license } }],
  }
}

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
