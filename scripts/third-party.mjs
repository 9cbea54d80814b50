import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the folder of a module's package: the last one below a `node_modules`. */
const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/

/** Writes next to the bundle the name, version and licence of every bundled package. */
export const thirdParty = () => ({
  name: 'third-party',
  generateBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
    const folders = new Set(modules.flatMap((id) => PACKAGE.exec(id.replaceAll('\\', '/')) ?? []))
    const notices = [...folders].map(noticeOf).sort()
    this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY.txt', source: notices.join(`\n\n${'-'.repeat(80)}\n\n`) })
  },
})

function noticeOf(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((file) => /^(licen[cs]e|copying)/i.test(file))
  const text = file ? readFileSync(join(folder, file), 'utf8').trim() : `By ${author?.name ?? author ?? 'its authors'}.`
  return `${name} ${version} (${license})\n\n${text}\n`
}
