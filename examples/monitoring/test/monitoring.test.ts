import { spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeWith, freePorts, programPath, useDirectory, useProgram } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'

const port = await freePorts(1)
const h = useProgram({ METRICS_PORT: String(port) })
const directory = useDirectory()

const file = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url))
const textOf = (name: string) => readFile(file(name), 'utf8')
const metrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()

interface Panel {
  readonly id: number
  readonly title: string
  readonly datasource: unknown
  readonly gridPos: { readonly h: number; readonly w: number; readonly x: number; readonly y: number }
  readonly targets: readonly { readonly datasource: unknown; readonly expr: string }[]
}

interface Dashboard {
  readonly panels: readonly Panel[]
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] }
}

const dashboard = async () => JSON.parse(await textOf('dashboard.json')) as Dashboard

/** Returns the metrics in a text, without the suffixes of histograms. */
const namedIn = (text: string) =>
  new Set([...text.matchAll(/\b(?:spaces|nodejs|process)_[a-z0-9_]+/g)].map(([name]) => name.replace(/_bucket$/, '')))

/** Returns the metrics of a server, each with its labels. */
async function shown(): Promise<ReadonlySet<string>> {
  const types = [...(await metrics()).matchAll(/^# TYPE (\S+) (\S+)$/gm)]
  return new Set(types.flatMap(([, name = '', type]) => (type === 'histogram' ? [name, `${name}_count`] : [name])))
}

const expressions = async () => (await dashboard()).panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))

describe('every metric', () => {
  it.each(['alerts.yml', 'alerts.test.yml', 'dashboard.json'])('that %s names exists in the server', async (name) => {
    const known = await shown()
    const named = namedIn(await textOf(name))
    expect(named.size).toBeGreaterThan(10)
    expect([...named].filter((each) => !known.has(each))).toEqual([])
  })

  it('of the service has a panel, and a line in the documentation', async () => {
    const own = [...(await shown())].filter((name) => name.startsWith('spaces_') && !name.endsWith('_count'))
    const panels = namedIn((await expressions()).join('\n').replaceAll('_count{', '{'))
    expect(own.filter((name) => !panels.has(name))).toEqual([])
    const documented = namedIn(await readFile(new URL('../../../docs/operations.md', import.meta.url), 'utf8'))
    expect(own.filter((name) => !documented.has(name))).toEqual([])
  })

  it('has the labels that rules and panels use', async () => {
    const { ada, path } = await h.adasSpace()
    await h.as(ada).get(`${path}/events`).expect(200)
    const text = await metrics()
    const source = `${await textOf('alerts.yml')}\n${(await expressions()).join('\n')}`
    const grouped = [...source.matchAll(/by \(([a-z_, ]+)\)/g)].flatMap(([, names = '']) => names.split(', '))
    const matched = [...source.matchAll(/([a-z_]+)=~?"/g)].map(([, name]) => name)
    const labels = new Set([...grouped, ...matched])
    // Prometheus adds the first two; the third exists once a webhook was attempted.
    for (const label of ['job', 'instance', 'outcome']) labels.delete(label)
    expect([...labels].filter((label) => !text.includes(`${label}="`))).toEqual([])
    expect(labels.size).toBeGreaterThan(6)
  })
})

describe('the dashboard', () => {
  it('has a variable data source, and panels with separate ids and places', async () => {
    const { panels, templating } = await dashboard()
    expect(templating.list[0]).toMatchObject({ name: 'datasource', type: 'datasource' })
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is Grafana's
    const chosen = { type: 'prometheus', uid: '${datasource}' }
    for (const { datasource, targets } of panels) {
      expect([datasource, ...targets.map((target) => target.datasource)]).toEqual([
        chosen,
        ...targets.map(() => chosen),
      ])
    }
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    const cells = panels.flatMap(({ gridPos: { h, w, x, y } }) =>
      Array.from({ length: h * w }, (_, n) => `${x + (n % w)},${y + Math.floor(n / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
    expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBe(24)
  })
})

it('each alert is tested with values that fire it, and with values that do not', async () => {
  const alerts = [...(await textOf('alerts.yml')).matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
  const tests = (await textOf('alerts.test.yml')).split('- alertname: ').slice(1)
  const tested = (fires: boolean) =>
    new Set(tests.filter((text) => text.includes('exp_labels') === fires).map((text) => /^\w+/.exec(text)?.[0]))
  expect(alerts.filter((name) => !tested(true).has(name) || !tested(false).has(name))).toEqual([])
})

describeWith(['promtool'], 'promtool', () => {
  function promtool(words: readonly string[], input?: string): string {
    const { status, stdout, stderr } = spawnSync('promtool', [...words], {
      env: { PATH: programPath() },
      encoding: 'utf8',
      ...(input !== undefined && { input }),
    })
    const output = stdout + stderr
    expect(status, output).toBe(0)
    return output
  }

  it('accepts the configuration, and the rules pass their tests', () => {
    promtool(['check', 'config', '--lint-fatal', file('prometheus.yml')])
    expect(promtool(['test', 'rules', file('alerts.test.yml')])).toContain('SUCCESS')
  })

  it('accepts the metrics of a server', async () => {
    const { ada, path } = await h.adasSpace()
    await h.as(ada).post(`${path}/speech`, { text: 'Hello' }).expect(200)
    expect(promtool(['check', 'metrics'], await metrics())).toBe('')
  })

  it('accepts the query of each panel', async () => {
    const rules = (await expressions()).map((expr, n) => {
      const source = expr.replaceAll('$__rate_interval', '1m').replaceAll('$job', 'spaces')
      return { record: `panel:${n}`, expr: source }
    })
    // JSON is YAML.
    const path = join(directory.path, 'panels.yml')
    await writeFile(path, JSON.stringify({ groups: [{ name: 'panels', rules }] }))
    expect(promtool(['check', 'rules', path])).toContain(`${rules.length} rules found`)
  })
})
