import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LIMITS } from '@collab-spaces/client'
import { describe, expect, it } from 'vitest'

const SRC = join(import.meta.dirname, '../src')

/** Texts that are the same in English, by language: names and words that it shares, and functions by their path. */
const SAME_ON_PURPOSE: Readonly<Record<string, readonly string[]>> = {
  de: [
    'Admin',
    'Agent',
    'App',
    'Code',
    'Collaboration Spaces',
    'Details',
    'Enter',
    'Filter',
    'GitHub',
    'JSON',
    'Link',
    'Links',
    'Name',
    'Passkey',
    'Space',
    'Spaces',
    'Standard Webhooks',
    'Status',
    'Test',
    'Thread',
    'Threads',
    'Token',
    'URL',
    'Webhook',
    'Webhooks',
    'Text',
    'Guide',
    'Secret',
    'shared.texts.inSpace',
    'webhook.webhooksTexts.target.space',
    'webhook.webhookTexts.typeOf.webhook.test',
  ],
  ar: ['Collaboration Spaces', 'Ctrl K', 'GitHub', 'JSON', 'Standard Webhooks', 'Webhook', 'Webhooks'],
}
/** Attributes that are shown or spoken. */
const SPOKEN = ['alt', 'aria-label', 'aria-description', 'label', 'placeholder', 'title', 'hint']

type Node = { readonly [name: string]: unknown }

const english = await import(join(SRC, 'languages/en/index.ts'))
const translations: Readonly<Record<string, Node>> = {
  de: await import(join(SRC, 'languages/de/index.ts')),
  ar: await import(join(SRC, 'languages/ar/index.ts')),
}

/** The texts of the page as paths: `decision.decisionTexts.title`. A function is its source. */
function leavesOf(node: Node, path = ''): [path: string, text: string][] {
  return Object.entries(node).flatMap(([name, value]) => {
    if (typeof value === 'function' || typeof value === 'string') return [[`${path}${name}`, String(value)]]
    return leavesOf(value as Node, `${path}${name}.`)
  })
}

const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.ts$|^languages/.test(file))
  .map((file) => ({ file, text: readFileSync(join(SRC, file), 'utf8') }))

describe.each(Object.entries(translations))('the translation %s', (language, texts) => {
  it('has the keys of English', () => {
    const paths = (node: Node) => leavesOf(node).map(([path]) => path)
    expect(paths(texts).sort()).toEqual(paths(english).sort())
  })

  it('has no English texts', () => {
    const own = new Map(leavesOf(texts))
    // A function that only joins values has no words.
    const hasWords = (text: string) => /[a-z]{2}/i.test(text.replaceAll(/\$\{[^}]*\}|\w+ =>|\([^)]*\) =>/g, ''))
    const left = leavesOf(english)
      .filter(([path, text]) => own.get(path) === text && hasWords(text) && !path.includes('shortcutsTexts.groups'))
      .filter((leaf) => !leaf.some((one) => SAME_ON_PURPOSE[language]?.includes(one)))
    expect(left).toEqual([])
  })
})

it('every text of the page is used', () => {
  const exports = Object.values(english as Record<string, Node>).flatMap((feature) => Object.entries(feature))
  const unused = exports.flatMap(([name, texts]) => {
    const users = sources.filter(
      ({ file, text }) => !file.endsWith('texts.ts') && new RegExp(`\\b${name}\\b`).test(text),
    )
    if (typeof texts !== 'object') return users.length > 0 ? [] : [name]
    if (users.some(({ text }) => isIndexed(name, text))) return []
    const isUsed = (key: string) => users.some(({ text }) => new RegExp(`[.\\s{[]${key}\\b`).test(text))
    return Object.keys(texts as Node)
      .filter((key) => !isUsed(key))
      .map((key) => `${name}.${key}`)
  })
  expect(unused).toEqual([])
})

it('no component contains a text', () => {
  const found = sources.filter(({ file }) => file.endsWith('.tsx')).flatMap(({ file, text }) => textsIn(file, text))
  expect(found).toEqual([])
})

it('the page counts unread events up to the limit of the server', async () => {
  const { MAX_UNREAD } = await import(join(SRC, 'languages/format.ts'))
  expect(MAX_UNREAD).toBe(LIMITS.unread)
})

/** Returns whether a component chooses one of the texts by a value: `statuses[status]`, also by another name. */
function isIndexed(name: string, text: string): boolean {
  const others = Array.from(text.matchAll(new RegExp(`(\\w+) = ${name}\\b`, 'g')), ([, other]) => other)
  return new RegExp(`\\b(?:${[name, ...others].join('|')})\\[`).test(text)
}

/** Returns the words that a component's JSX contains. */
function textsIn(file: string, text: string): string[] {
  const between = text.matchAll(/>([^<>{}()=;]*\p{L}{2}[^<>{}()=;]*)<\/(?!kbd)/gu)
  const spoken = text.matchAll(new RegExp(`\\s(?:${SPOKEN.join('|')})="((?!https:)[^"]*\\p{L}{2}[^"]*)"`, 'gu'))
  return [...between, ...spoken].map(([, words = '']) => `${file}: ${words.trim()}`)
}
