import { describe, expect, it } from 'vitest'
import { settingsFile } from '../src/settings-file.js'

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
