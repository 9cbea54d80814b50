import { describe, expect, it } from 'vitest'
import { readSettings } from '../src/settings.js'
import { warningsAbout } from '../src/warnings.js'

const warningsWith = (environment: Record<string, string>) => warningsAbout(readSettings(environment))

describe('the start warns', () => {
  it('of nothing by default', async () => {
    expect(await warningsWith({})).toEqual([])
  })

  it.each([
    ['REGISTRATON', 'REGISTRATION'],
    ['DATABASE_ULR', 'DATABASE_URL'],
    ['PROT', 'PORT'],
    ['HSOT', 'HOST'],
    ['HOTS', 'HOST'],
    ['TOPS', null],
    ['PORTS', 'PORT'],
    ['Log_Level', 'LOG_LEVEL'],
    ['HOME', null],
    ['DATABASE_URL', null],
    ['PATH', null],
  ])('of a name that is almost a setting: %s', async (name, meant) => {
    const warning = `${name} is not a setting; did you mean ${meant}?`
    expect(await warningsAbout(readSettings({}), [name])).toEqual(meant === null ? [] : [warning])
  })

  it.each([
    [{ HOST: '127.0.0.1' }, null],
    [{ HOST: 'localhost' }, null],
    [{ HOST: '0.0.0.0' }, /^registration is open .*, and only requests to its IP addresses and localhost are served; /],
    [{ HOST: '::' }, /set REGISTRATION=closed, and set PUBLIC_URL or ALLOWED_HOSTS to the names that it has$/],
    [{ HOST: '0.0.0.0', PUBLIC_URL: 'https://a.example' }, /^registration is open .*this server; .*=closed$/],
    [{ HOST: '::', ALLOWED_HOSTS: 'a.example' }, /^registration is open .*this server; .*=closed$/],
    [{ HOST: 'spaces.example.org' }, /^registration is open .*this server; .*=closed$/],
    [{ HOST: '0.0.0.0', REGISTRATION: 'closed' }, /^only requests to .* are served; .*PUBLIC_URL or ALLOWED_HOSTS/],
    [{ HOST: '0.0.0.0', REGISTRATION: 'closed', PUBLIC_URL: 'https://a.example' }, null],
  ])('in one line about access from other machines: %j', async (environment, warning) => {
    expect(await warningsWith(environment)).toEqual(warning === null ? [] : [expect.stringMatching(warning)])
  })

  it.each([
    ['postgres://ada@db.example.org/spaces', true],
    ['postgres://ada@db.example.org/spaces?sslmode=disable', true],
    ['postgres://ada@10.0.0.7/spaces', true],
    ['postgres://ada@db.example.org/spaces?sslmode=verify-full', false],
    ['postgres://ada@db.example.org/spaces?ssl=true', false],
    ['postgres://ada@localhost/spaces', false],
    ['postgres://ada@127.0.0.1:5433/spaces', false],
    ['postgres://ada@[::1]/spaces', false],
    ['postgres://ada@%2Frun%2Fpostgresql/spaces', false],
    ['postgres:///spaces?host=/run/postgresql', false],
  ])('of a database on another machine without TLS: %s, %s', async (url, isWarnedOf) => {
    expect(await warningsWith({ DATABASE_URL: url })).toEqual(
      isWarnedOf ? [expect.stringMatching(/^DATABASE_URL leads to another machine without TLS/)] : [],
    )
  })

  it.each([
    [{ METRICS_PORT: '9464' }, false],
    [{ METRICS_PORT: '9464', METRICS_HOST: '::1' }, false],
    [{ METRICS_HOST: '0.0.0.0' }, false],
    [{ METRICS_PORT: '9464', METRICS_HOST: '0.0.0.0' }, true],
    [{ METRICS_PORT: '9464', METRICS_HOST: '10.0.0.7' }, true],
  ])('of metrics for other machines: %j, %s', async (environment, isWarnedOf) => {
    expect(await warningsWith(environment)).toEqual(
      isWarnedOf ? [expect.stringMatching(/^METRICS_HOST shows metrics/)] : [],
    )
  })

  it('of each of two database URLs separately', async () => {
    const DATABASE_URL = 'postgres://ada@db.example.org/spaces?sslmode=require'
    const MIGRATION_DATABASE_URL = 'postgres://root@db.example.org/spaces'
    expect(await warningsWith({ DATABASE_URL, MIGRATION_DATABASE_URL })).toEqual([
      expect.stringMatching(/^MIGRATION_DATABASE_URL leads/),
    ])
  })

  it.each([
    ['http://model.example.org/v1', true],
    ['https://model.example.org/v1', false],
    ['http://127.0.0.1:11434/v1', false],
  ])('of a language model on another machine without TLS: %s, %s', async (SUMMARY_URL, isWarnedOf) => {
    const model = { SUMMARY_PROVIDER: 'openai-compatible', SUMMARY_MODEL: 'small', SUMMARY_URL }
    expect(await warningsWith(model)).toEqual(isWarnedOf ? [expect.stringMatching(/^SUMMARY_URL sends events/)] : [])
  })
})
