import { homedir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { readNpmArguments, withNpmDefaults } from '../src/npm-program.js'

/** A directory takes precedence over a database that a file .env names. */
const dataIn = (directory: string) => ({ DATA_DIR: directory, DATABASE_URL: '', MIGRATION_DATABASE_URL: '' })

describe('the npm program', () => {
  it.each([
    ['', { kind: 'serve', settings: {} }],
    ['--data there --port 8081', { kind: 'serve', settings: { ...dataIn('there'), PORT: '8081' } }],
    ['--data=there', { kind: 'serve', settings: dataIn('there') }],
    ['operate', { kind: 'operate', settings: {}, words: [] }],
    ['operate check --json', { kind: 'operate', settings: {}, words: ['check', '--json'] }],
    ['operate --help', { kind: 'operate', settings: {}, words: ['--help'] }],
    ['--data d operate check', { kind: 'operate', settings: dataIn('d'), words: ['check'] }],
    ['--help', { kind: 'help' }],
    ['-h', { kind: 'help' }],
    ['--version', { kind: 'version' }],
    ['start', { kind: 'mistake', reason: expect.stringContaining("'start'") }],
    ['--date there', { kind: 'mistake', reason: expect.stringContaining("'--date'") }],
    ['--data', { kind: 'mistake', reason: expect.stringContaining('--data') }],
  ])('reads its arguments: %s', (line, request) => {
    expect(readNpmArguments(line.split(' ').filter((word) => word !== ''))).toEqual(request)
  })

  it.each([
    [{}, `${homedir()}/.local/share/collaboration-spaces`],
    [{ XDG_DATA_HOME: '/data/ada' }, '/data/ada/collaboration-spaces'],
    [{ XDG_DATA_HOME: '/data/ada', DATA_DIR: 'mine' }, 'mine'],
    [{ DATABASE_URL: 'postgres://ada@localhost/spaces' }, undefined],
  ])('derives its data directory from the environment: %j', (environment, directory) => {
    expect(withNpmDefaults(environment).DATA_DIR).toBe(directory)
  })
})
