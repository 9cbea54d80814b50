import { describe, expect, it } from 'vitest'
import { type IncomingFormat, isOlder, orderIn } from '../incoming-webhook.js'
import type { JsonObject } from '../json.js'
import { incomingRequestOf } from './translate.js'

/**
 * Requests as documented: Slack's reference of Block Kit and attachments, requests of Grafana, Alertmanager, Sentry and
 * GitLab to a Slack webhook, and GitHub's "Webhook events and payloads", each reduced to the relevant fields.
 */

const read = (format: IncomingFormat, body: JsonObject, event = '', template: string | null = null) =>
  incomingRequestOf({ format, template, event, body })
const slack = (body: JsonObject) => read('slack', body).message?.text
const github = (event: string, body: JsonObject) => read('github', { repository, sender, ...body }, event)
const standard = (body: JsonObject, template: string | null = null) => read('standard', body, '', template)

const repository = { full_name: 'acme/app', html_url: 'https://github.com/acme/app' }
const sender = { login: 'octocat' }
const REPOSITORY = '[acme/app](https://github.com/acme/app)'

describe('a Slack message', () => {
  it.each([
    ['*bold* and ~struck~, not 2*3*4 or a~b', '**bold** and ~~struck~~, not 2*3*4 or a~b'],
    ['<https://a.example/x?y=1&amp;z=2|here>', '[here](https://a.example/x?y=1&z=2)'],
    ['<https://a.example> &lt;b&gt; &amp;', 'https://a.example <b> &'],
    ['<!channel> <@U1> <@U2|ada> <#C1|general>', '@channel @U1 ada #general'],
    ['`*code* &amp;` and ```\n*more*\n```', '`*code* &` and ```\n*more*\n```'],
    ['<mailto:a@b.example|a@b.example>', 'a@b.example'],
    ['<javascript:alert(1)|click>', 'click'],
  ])('translates its markup: %s', (text, expected) => {
    expect(slack({ text })).toBe(expected)
  })

  it('shows blocks in place of the text', () => {
    const blocks = [
      { type: 'header', text: { type: 'plain_text', text: 'Deploy *done*' } },
      {
        type: 'section',
        text: { type: 'mrkdwn', text: '*app* is live' },
        fields: [{ type: 'mrkdwn', text: '*Env*\nprod' }],
      },
      { type: 'divider' },
      {
        type: 'context',
        elements: [
          { type: 'mrkdwn', text: 'by _ci_' },
          { type: 'plain_text', text: 'now' },
        ],
      },
      {
        type: 'actions',
        elements: [{ type: 'button', text: { type: 'plain_text', text: 'Open' }, url: 'https://a.example' }],
      },
      { type: 'image', alt_text: 'A graph', image_url: 'https://a.example/g.png' },
      { type: 'unknown' },
    ]
    expect(slack({ text: 'For notifications', blocks })).toBe(
      [
        '**Deploy \\*done\\***',
        '**app** is live',
        '**Env**\nprod',
        '---',
        'by _ci_ now',
        '[Open](https://a.example)',
        '[A graph](https://a.example/g.png)',
      ].join('\n\n'),
    )
  })

  it('translates rich text', () => {
    const elements = [
      {
        type: 'rich_text_section',
        elements: [
          { type: 'text', text: 'All ' },
          { type: 'text', text: 'good', style: { bold: true } },
          { type: 'emoji', name: 'tada' },
          { type: 'link', url: 'https://a.example', text: 'log' },
        ],
      },
      {
        type: 'rich_text_list',
        style: 'ordered',
        elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'One' }] }],
      },
      { type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'make' }] },
    ]
    expect(slack({ blocks: [{ type: 'rich_text', elements }] })).toBe(
      'All **good**:tada:[log](https://a.example)\n\n1. One\n\n```\nmake\n```',
    )
  })

  it('translates attachments of Alertmanager and Grafana', () => {
    expect(
      slack({
        channel: '#alerts',
        username: 'Alertmanager',
        attachments: [
          {
            color: 'danger',
            title: '[FIRING:1] HighLatency',
            title_link: 'http://alertmanager.example:9093/#/alerts',
            text: '*p99* is 2s',
            fallback: '[FIRING:1] HighLatency',
            fields: [{ title: 'Severity', value: 'page', short: true }],
            mrkdwn_in: ['fallback', 'pretext', 'text'],
          },
        ],
      }),
    ).toBe(
      '**[\\[FIRING:1\\] HighLatency](http://alertmanager.example:9093/#/alerts)**\n\n**p99** is 2s\n\n**Severity**: page',
    )
    expect(slack({ attachments: [{ fallback: 'Only this' }] })).toBe('Only this')
  })

  it('is rejected without a text', () => {
    for (const body of [{}, { text: ' ' }, { text: 1, blocks: 'x', attachments: [null, 3] }] as JsonObject[]) {
      if (body.text === 1) expect(slack(body)).toBe('1')
      else expect(() => slack(body)).toThrow('text: is required, unless blocks or attachments have some')
    }
  })
})

describe('a Standard Webhooks message', () => {
  it('shows its type and its data without a template', () => {
    const body = { type: 'user.created', timestamp: '2026-01-05T09:00:00Z', data: { name: 'A```' } }
    expect(standard(body)).toEqual({
      kind: 'user.created',
      message: { text: '**user.created**\n\n```json\n{\n  "name": "A` ` `"\n}\n```' },
    })
    expect(standard({ type: 'ping' }).message).toEqual({ text: '**ping**' })
  })

  it('fills a template with its own fields only', () => {
    const data = { user: { name: 'Ada' }, items: [{ id: 7 }], nested: { a: 1 } }
    const template =
      '{{data.user.name}} bought {{ data.items.0.id }}{{data.none}} {{data.nested}} {{constructor.name}} {{x y}}'
    expect(standard({ type: 'sale', data }, template).message?.text).toBe('Ada bought 7 {"a":1}  {{x y}}')
    expect(standard({ type: 'sale' }, '{{data.none}}').message).toBe(null)
  })

  it('fills a template up to the longest text of an event', () => {
    const template = '{{data}} '.repeat(200)
    for (const data of ['x'.repeat(2_000_000), '🚀'.repeat(60_000), Array(40_000).fill(0)])
      expect(Array.from(standard({ data }, template).message?.text ?? '')).toHaveLength(100_000)
  })
})

describe('a GitHub event', () => {
  const pull_request = {
    number: 7,
    title: 'Fix *it*',
    html_url: 'https://github.com/acme/app/pull/7',
    body: 'Why\nnot',
  }
  const issue = { number: 3, title: 'It breaks', html_url: 'https://github.com/acme/app/issues/3', body: null }
  const PULL_REQUEST = '[#7 Fix \\*it\\*](https://github.com/acme/app/pull/7)'
  const ISSUE = '[#3 It breaks](https://github.com/acme/app/issues/3)'

  it.each<[string, JsonObject, string | null]>([
    [
      'push',
      {
        ref: 'refs/heads/main',
        compare: 'https://github.com/acme/app/compare/a...b',
        commits: [
          { id: '0123456789', message: 'Fix it\n\nBecause', url: 'https://github.com/acme/app/commit/0123456789' },
        ],
      },
      `**octocat** pushed [1 commit](https://github.com/acme/app/compare/a...b) to \`main\` of ${REPOSITORY}\n\n- [\`0123456\`](https://github.com/acme/app/commit/0123456789) Fix it`,
    ],
    [
      'push',
      { ref: 'refs/heads/old', deleted: true, commits: [] },
      `**octocat** deleted the branch \`old\` of ${REPOSITORY}`,
    ],
    [
      'push',
      { ref: 'refs/tags/v1', created: true, commits: [] },
      `**octocat** created the tag \`v1\` of ${REPOSITORY}`,
    ],
    [
      'pull_request',
      { action: 'opened', pull_request },
      `**octocat** opened the pull request ${PULL_REQUEST} in ${REPOSITORY}\n\n> Why\n> not`,
    ],
    [
      'pull_request',
      { action: 'closed', pull_request: { ...pull_request, merged: true } },
      `**octocat** merged the pull request ${PULL_REQUEST} in ${REPOSITORY}`,
    ],
    [
      'pull_request',
      { action: 'closed', pull_request: { ...pull_request, merged: false } },
      `**octocat** closed the pull request ${PULL_REQUEST} in ${REPOSITORY}`,
    ],
    ['pull_request', { action: 'labeled', pull_request }, null],
    [
      'pull_request_review',
      { action: 'submitted', pull_request, review: { state: 'approved', body: null } },
      `**octocat** approved ${PULL_REQUEST}`,
    ],
    ['pull_request_review', { action: 'submitted', pull_request, review: { state: 'commented', body: '' } }, null],
    ['issues', { action: 'closed', issue }, `**octocat** closed the issue ${ISSUE} in ${REPOSITORY}`],
    [
      'issue_comment',
      {
        action: 'created',
        issue,
        comment: { body: '@octocat look', html_url: 'https://github.com/acme/app/issues/3#c' },
      },
      `**octocat** [commented](https://github.com/acme/app/issues/3#c) on ${ISSUE}\n\n> @octocat look`,
    ],
    ['issue_comment', { action: 'edited', issue, comment: { body: 'x' } }, null],
    [
      'check_run',
      {
        action: 'completed',
        check_run: {
          name: 'test',
          conclusion: 'timed_out',
          head_sha: '0123456789',
          html_url: 'https://github.com/acme/app/runs/1',
          check_suite: { head_branch: 'fix' },
          pull_requests: [{ number: 7 }],
        },
      },
      `Check [test](https://github.com/acme/app/runs/1): **timed out** for \`0123456\` on \`fix\` of ${REPOSITORY}`,
    ],
    [
      'workflow_run',
      {
        action: 'completed',
        workflow_run: {
          name: 'CI',
          conclusion: 'success',
          head_sha: '0123456789',
          head_branch: 'main',
          html_url: 'https://github.com/acme/app/actions/runs/1',
          pull_requests: [],
        },
      },
      `Workflow [CI](https://github.com/acme/app/actions/runs/1): **success** for \`0123456\` on \`main\` of ${REPOSITORY}`,
    ],
    [
      'release',
      {
        action: 'published',
        release: { tag_name: 'v1', name: null, html_url: 'https://github.com/acme/app/releases/v1', body: '' },
      },
      `**octocat** released [v1](https://github.com/acme/app/releases/v1) of ${REPOSITORY}`,
    ],
    [
      'deployment',
      { action: 'created', deployment: { ref: 'main', environment: 'production' } },
      `**octocat** deploys \`main\` of ${REPOSITORY} to **production**`,
    ],
    [
      'deployment_status',
      {
        action: 'created',
        deployment: { ref: 'main', environment: 'production' },
        deployment_status: { state: 'in_progress', description: 'Rolling', log_url: 'https://a.example' },
      },
      `Deployment of \`main\` of ${REPOSITORY} to **production**: [**in progress**](https://a.example), Rolling`,
    ],
    ['ping', { zen: 'Design for failure.' }, null],
    ['constructor', {}, null],
  ])('is translated: %s %j', (event, body, text) => {
    expect(github(event, body).message?.text ?? null).toBe(text)
  })

  it('about a pull request belongs to its thread, also a check', () => {
    const check_run = { name: 'test', conclusion: 'success', pull_requests: [{ number: 7 }] }
    const key = 'acme/app#7'
    for (const [event, body] of [
      ['pull_request', { action: 'opened', pull_request }],
      ['pull_request_review', { action: 'submitted', pull_request, review: { state: 'approved' } }],
      ['issue_comment', { action: 'created', issue: pull_request, comment: { body: 'x' } }],
      ['check_run', { action: 'completed', check_run }],
    ] as const)
      expect(github(event, body as JsonObject).message?.thread?.key, event).toBe(key)
    expect(github('pull_request', { action: 'opened', pull_request }).message?.thread?.subject).toBe('#7 Fix *it*')
  })

  it('names the people that it mentions, assigns or asks for a review', () => {
    const logins = (event: string, body: object) =>
      github(event, { pull_request, issue: pull_request, ...body } as JsonObject).message?.logins
    const comment = { body: 'cc @ada-l, `@code` and @Grace: not a@b.example or https://x.example/@path @' }
    for (const event of ['issue_comment', 'commit_comment'])
      expect(logins(event, { action: 'created', comment }), event).toEqual(['ada-l', 'Grace'])
    expect(logins('pull_request', { action: 'review_requested', requested_reviewer: { login: 'ada' } })).toEqual([
      'ada',
    ])
    expect(logins('issues', { action: 'assigned', assignee: { login: 'ada' } })).toEqual(['ada'])
    expect(logins('pull_request', { action: 'review_requested', requested_team: { name: 'x' } })).toBe(undefined)
    expect(logins('issues', { action: 'closed', issue: { ...pull_request, body: '@ada' } })).toBe(undefined)
  })

  it('about a repeated check of a commit corrects the earlier message', () => {
    const keyOf = (check: object, event = 'check_run') => {
      const repository = { full_name: 'acme/app' }
      const body = { action: 'completed', repository, [event]: { name: 'test', head_sha: 'abc', ...check } }
      return github(event, body as JsonObject).message?.correction?.key
    }
    expect(keyOf({ conclusion: 'failure' })).toBe(keyOf({ conclusion: 'success', html_url: 'https://x.example' }))
    const others = [{}, { name: 'lint' }, { head_sha: 'def' }, { head_branch: 'fix' }].map((check) => keyOf(check))
    const suites = [1, 2].map((id) => keyOf({ check_suite: { id } }))
    const workflows = [1, 2].map((id) => keyOf({ id }, 'workflow_run'))
    expect(new Set([...others, ...suites, ...workflows]).size).toBe(8)
    expect(keyOf({ id: 1, check_suite: { id: 1 } })).toBe(suites[0])
    expect(keyOf({ head_sha: null })).toBe(undefined)
  })

  it('about a check has its end and its ID or attempt as its order', () => {
    const orderOf = (event: string, run: object) =>
      github(event, { action: 'completed', [event]: { name: 'test', head_sha: 'abc', ...run } } as JsonObject).message
        ?.correction?.order ?? null
    const at = '2026-01-05T09:00:00.000Z'
    const check = orderOf('check_run', { completed_at: '2026-01-05T10:00:00+01:00', id: 7 })
    const workflow = orderOf('workflow_run', { updated_at: '2026-01-05T09:00:00Z', id: 7, run_attempt: 2 })
    expect([check, workflow]).toEqual([
      { at, sequence: [7] },
      { at, sequence: [7, 2] },
    ])
    expect(orderIn({ incoming_webhook: { order: workflow } })).toEqual(workflow)
    for (const metadata of [null, {}, { incoming_webhook: { order: { at, sequence: ['7'] } } }])
      expect(orderIn(metadata)).toBe(null)

    const later = orderOf('workflow_run', { updated_at: '2026-01-05T09:00:01Z', id: 6, run_attempt: 1 })
    const first = orderOf('workflow_run', { updated_at: at, id: 7, run_attempt: 1 })
    expect([isOlder(workflow, later), isOlder(first, workflow)]).toEqual([true, true])
    expect([isOlder(later, workflow), isOlder(workflow, first), isOlder(first, first)]).toEqual([false, false, false])
    for (const ended of [undefined, null, '', 'today', 7]) {
      const unstated = orderOf('check_run', { completed_at: ended, id: 7 })
      expect([unstated, isOlder(unstated, check), isOlder(check, unstated)]).toEqual([null, false, false])
    }
  })

  it('escapes a hostile name', () => {
    const body = {
      action: 'opened',
      issue: { number: 1, title: '](https://evil.example) <b>`x`', html_url: 'javascript:x' },
    }
    expect(github('issues', body).message?.text).toBe(
      `**octocat** opened the issue #1 \\](https://evil.example) \\<b>\\\`x\\\` in ${REPOSITORY}`,
    )
  })

  it('of an unexpected form does not throw', () => {
    for (const event of [
      'push',
      'pull_request',
      'issues',
      'check_run',
      'release',
      'deployment_status',
      'issue_comment',
    ])
      for (const body of [
        {},
        { action: 'created', issue: 3, comment: [], repository: null, sender: 'x' },
      ] as JsonObject[])
        expect(() => github(event, body)).not.toThrow()
  })
})
