import { describe, expect, it } from 'vitest'
import { placesOf, settingsFile } from '../src/settings-file.js'

const SERVICE = '/etc/collaboration-spaces.env'

describe('settings are read from', () => {
  it.each([
    ['the current directory first', true, {}, ['.env', SERVICE], '.env'],
    ['no file of the service, by a server', false, {}, [SERVICE], null],
    ['the file of the service, by a command', true, { HOST: '::' }, [SERVICE], SERVICE],
    ['no file of the service with DATA_DIR', true, { DATA_DIR: 'restored' }, [SERVICE], null],
    ['no file of the service with DATABASE_URL', true, { DATABASE_URL: 'postgres://localhost/other' }, [SERVICE], null],
    ['no file if none exists', true, {}, [], null],
  ])('%s', (_, isCommand, environment, files: string[], file) => {
    expect(settingsFile(isCommand, environment, (path) => files.includes(path))).toBe(file)
  })
})

describe('a settings file', () => {
  const [DATABASE_URL, OTHER_URL] = ['postgres://localhost/copy', 'postgres://owner@localhost/copy']
  const none = { DATABASE_URL: '', MIGRATION_DATABASE_URL: '' }

  it.each([
    ['adds no owner to a database of the environment', false, { DATABASE_URL }, { MIGRATION_DATABASE_URL: '' }],
    [
      'leaves the owner of the environment',
      true,
      { DATABASE_URL, MIGRATION_DATABASE_URL: OTHER_URL },
      { MIGRATION_DATABASE_URL: OTHER_URL },
    ],
    ['leads no command from DATA_DIR of the environment to a database', true, { DATA_DIR: 'restored' }, none],
    ['may name the database of a server with DATA_DIR in its environment', false, { DATA_DIR: '/data' }, {}],
    ['names all data by itself', true, {}, {}],
  ])('%s', (_, isCommand, environment, places) => {
    expect(placesOf(isCommand, environment)).toEqual(places)
  })
})
