import type { Link } from '@collab-spaces/client'
import { describe, expect, it } from 'vitest'
import { graphOf, labelOf } from './graph'

const link = (target_id: string | null, target_uri: string | null, link_type: string) =>
  ({ space_id: 'here', target_id, target_uri, link_type }) as Link

describe('the graph of links', () => {
  it('shows each target once, with all its types', () => {
    const { nodes } = graphOf([link('b', null, 'related'), link('b', null, 'follows')], 'here', { x: 100, y: 50 })
    expect(nodes.map(({ id, types }) => [id, types])).toEqual([['b', ['related', 'follows']]])
  })

  it('starts at the top', () => {
    const [first] = graphOf([link('b', null, 'related')], 'here', { x: 100, y: 50 }).nodes
    expect(first?.x).toBeCloseTo(0)
    expect(first?.y).toBeCloseTo(-50)
  })

  it('shows the direction of links', () => {
    const back = { ...link('here', null, 'blocks'), space_id: 'b' }
    const only = { ...link('here', null, 'blocks'), space_id: 'c' }
    const { nodes } = graphOf([link('b', null, 'related'), back, only], 'here', { x: 100, y: 50 })
    expect(nodes).toMatchObject([
      { id: 'b', types: ['related', 'blocks'], isTarget: true, isSource: true },
      { id: 'c', types: ['blocks'], isTarget: false, isSource: true },
    ])
  })

  it('labels a page by the last segment of its path, or by its host', () => {
    expect(labelOf('https://example.org/a/b/plan?x=1')).toBe('plan')
    expect(labelOf('https://example.org/')).toBe('example.org')
    expect(labelOf('plans')).toBe('plans')
  })

  it('shortens a long name in the middle', () => {
    expect(labelOf('release-2026-of-the-server')).toBe('release-2…e-server')
    expect(labelOf('https://example.org/a-page-with-a-very-long-name-1')).toBe('a-page-wi…g-name-1')
  })
})
