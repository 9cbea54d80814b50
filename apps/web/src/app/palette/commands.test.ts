import { describe, expect, it } from 'vitest'
import { type Command, fitOf, fitting } from './commands'

const command = (label: string, also?: string): Command => ({ id: label, icon: 'home', label, also, to: '/' })

describe('matches of a command', () => {
  it('contain every word, in their label or further text', () => {
    expect(fitOf(command('New token', 'credentials key'), 'tok cred')).not.toBeNull()
    expect(fitOf(command('New token'), 'token space')).toBeNull()
  })

  it('prefer a prefix of the label to a prefix of a word, and that to the middle of one', () => {
    const commands = ['unplanned', 'old-plans', 'plans'].map((label) => command(label))
    expect(fitting(commands, 'plan', 9).map(({ label }) => label)).toEqual(['plans', 'old-plans', 'unplanned'])
  })

  it('ignore case and accents as search does', () => {
    const commands = ['Café', 'Zoë’s plans', '請求書'].map((label) => command(label))
    const found = (typed: string) => fitting(commands, typed, 9).map(({ label }) => label)
    expect(found('cafe')).toEqual(['Café'])
    expect(found('CAFÉ'.normalize('NFD'))).toEqual(['Café'])
    expect(found("zoe's")).toEqual(['Zoë’s plans'])
    expect(found('請求')).toEqual(['請求書'])
  })

  it('are all commands without input', () => {
    expect(fitting([command('b'), command('a')], ' ', 9).map(({ label }) => label)).toEqual(['b', 'a'])
  })
})
