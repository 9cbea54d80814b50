// Creates a team: 8 people, 12 agents, 25 spaces, one with a long history, in several scripts.
import { createClient } from '@collab-spaces/client'
import { attachEmbedded } from '@collab-spaces/postgres-embedded'
import { loadPastTexts } from '@collab-spaces/testing/history'

const HUMANS = [
  'أمينة عبد الرحمن',
  '王小明',
  'Jürgen Müller-Lüdenscheidt von Hohenzollern-Sigmaringen',
  'Ana Lucía Fernández',
  'שירה לוי',
  'Ng',
]
const AGENTS = [
  'Translator',
  'مترجم',
  '校对员',
  'Release-Notes-Schreiber für Kundinnen und Kunden',
  'Triage',
  'Watcher',
  'Bookkeeper',
  'Linter',
  'Archivist',
]
const SPACES = {
  'cairo-office': ['افتتاح مكتب القاهرة الجديد في شهر أكتوبر', 'كل ما يجب أن نقرره قبل أن نوقع العقد مع المالك'],
  'shanghai-launch': ['上海发布会：场地、嘉宾与日程安排', '发布会之前需要决定的一切，以及谁负责什么'],
  datenschutz: ['Datenschutz-Folgenabschätzung für das Bewerbungsverfahren', 'Was wir speichern, wie lange, und warum'],
  'tel-aviv': ['פגישה עם הצוות בתל אביב', 'לוח הזמנים של הביקור'],
  'support-rotation': ['Support rotation', 'Who answers, and from when to when'],
  'website-relaunch': ['Website relaunch 2026: texts, pictures, redirects and everything that hangs on them', ''],
  hiring: ['Hiring', 'Two engineers and a designer'],
  budget: ['Budget 2027', ''],
  'api-v3': ['', 'What breaks, what stays, and how we tell people'],
  'customer-council': ['Customer council', 'What they asked for last time'],
  'mobile-app': ['', ''],
  onboarding: ['Onboarding', 'The first week of a new colleague'],
  'research-notes': ['Research notes', ''],
  'security-review': ['Security review', 'Findings of the spring, and who mends them'],
  translations: ['Translations', 'العربية, 中文, Deutsch'],
  offsite: ['Offsite in Évora', ''],
  newsletter: ['Newsletter', 'Every first Tuesday'],
}
/** The space with the long history. */
const LONG = 'observatory'
const EVENTS = 20_000
const MINUTES_BETWEEN = 4
const SENTENCES = [
  'The pipeline is green again; the flaky test was a clock that ran backwards.',
  'هل يمكن أن نؤجل الإصدار إلى يوم الخميس؟ ما زالت هناك 3 مشاكل مفتوحة في واجهة البرمجة API.',
  '我已经检查了全部 1,204 条翻译，其中 17 条需要重新校对，主要是日期格式的问题。',
  'Die Auswertung der Nutzungszahlen liegt jetzt im Ordner; auffällig ist nur der Rückgang am Wochenende.',
  'I measured it twice: **41 ms** before, `29 ms` after, so the index is worth its 200 MB.',
  'Agreed.',
  'אפשר לסגור את זה היום, נשאר רק לעדכן את התיעוד.',
  'Three things are left:\n\n1. the redirects of the old pages\n2. the pictures in two sizes\n3. a word with legal about the cookies',
]

/** Adds the team to the existing people and content. The pictures are Ada's view. */
export async function makeTeam({ url, dataDir }, { ada, grace, scout }, { space_id }) {
  const a = createClient({ url, token: ada.api_key })
  const humans = []
  for (const [n, name] of HUMANS.entries()) humans.push(await makeMember(url, a, name, `member-${n}@example.org`))
  const agents = []
  for (const display_name of AGENTS) {
    agents.push(
      await a.actor.register.mutate({ display_name, actor_type: 'agent', agent_profile: profileOf(display_name) }),
    )
  }
  const others = [grace, ...humans]
  const ids = [...others, scout, ...agents].map(({ actor_id }) => actor_id)
  for (const actor_id of ids) await addTo(a, space_id, actor_id)
  for (const [id, [title, description]] of Object.entries(SPACES)) {
    await a.space.create.mutate({ space_id: id, title: title || undefined, description })
    await a.participant.join.mutate({ space_id: id })
    for (const actor_id of ids.slice(0, 6)) await addTo(a, id, actor_id)
  }
  await a.space.create.mutate({
    space_id: LONG,
    title: 'Observatory',
    description: 'Everything worth a note',
  })
  await a.participant.join.mutate({ space_id: LONG })
  for (const actor_id of ids) await addTo(a, LONG, actor_id)
  await loadLong({ dataDir }, ada, [ada, ...others, scout, ...agents])
  for (const [n, text] of SENTENCES.entries()) {
    const { api_key } = others[n % others.length]
    await createClient({ url, token: api_key }).event.speech.mutate({ space_id: LONG, text })
  }
  await a.preference.change.mutate({ space_id: LONG, pinned: true })
  return { long: LONG, ...(await makeTalk(url, ada, humans)) }
}

const profileOf = (name) => (name.length % 2 === 0 ? `What ${name} does all day` : undefined)
const addTo = (client, space_id, actor_id) => client.participant.add.mutate({ space_id, actor_id })

/** Invites a human into the tenant. */
async function makeMember(url, admin, display_name, email) {
  const member = await createClient({ url }).actor.register.mutate({ display_name, email })
  const { code } = await admin.invite.create.mutate({ email })
  await createClient({ url, token: member.api_key }).invite.redeem.mutate({ code })
  return member
}

/** Creates messages to Ada in other text directions and scripts, and her conversations with their posters. */
async function makeTalk(url, ada, [amina, ming, jurgen, , shira]) {
  const [a, am, mi, ju, sh] = [ada, amina, ming, jurgen, shira].map(({ api_key }) =>
    createClient({ url, token: api_key }),
  )
  const metadata = { mentions: [ada.actor_id] }
  const cairo = { space_id: 'cairo-office' }
  const first = await am.event.speech.mutate({
    ...cairo,
    text: '@Ada Lovelace هل راجعتِ العقد؟ الإيجار 12,500 دولار في الشهر، والمساحة 340 م².',
    metadata,
  })
  await a.event.response.mutate({
    ...cairo,
    parent_event_id: first.event_id,
    text: 'Yes. Clause 7 is unclear: who pays for the lift?',
  })
  const { thread_id } = await am.thread.start.mutate({
    ...cairo,
    parent_event_id: first.event_id,
    subject: 'بند الصيانة في العقد',
  })
  await am.event.speech.mutate({
    ...cairo,
    thread_id,
    parent_event_id: first.event_id,
    text: 'المالك يدفع ثمن المصعد، ونحن ندفع ثمن الكهرباء. انظر `clause-7.pdf`.',
  })
  const chosen = await am.event.speech.mutate({
    ...cairo,
    text: 'عندي سؤال يا @Ada Lovelace: متى نوقّع؟ يوم 14 أم يوم 21؟',
    metadata,
  })
  await am.decision.propose.mutate({
    ...cairo,
    proposed_by: amina.actor_id,
    text: 'نوقّع عقد **خمس سنوات** مع حق الخروج بعد سنتين',
    assignees: [ada.actor_id],
  })
  const shanghai = { space_id: 'shanghai-launch' }
  await mi.event.speech.mutate({
    ...shanghai,
    text: '@Ada Lovelace 场地已经确认：9月12日下午2点，可容纳300人。请你看一下嘉宾名单。',
    metadata,
  })
  await mi.decision.propose.mutate({
    ...shanghai,
    proposed_by: ming.actor_id,
    text: '发布会改在下午三点开始，晚上七点结束',
    assignees: [ada.actor_id],
  })
  await ju.event.speech.mutate({
    space_id: 'datenschutz',
    text: '@Ada Lovelace Die Aufbewahrungsfrist von 180 Tagen müssten wir noch begründen.',
    metadata,
  })
  await sh.event.speech.mutate({
    space_id: 'tel-aviv',
    text: '@Ada Lovelace מתי נוח לך להגיע? יש טיסה ב-7:40 וב-11:15.',
    metadata,
  })
  const talk = await a.conversation.start.mutate({ actor_ids: [amina.actor_id] })
  await am.event.speech.mutate({ space_id: talk.space_id, text: 'شكراً على المراجعة السريعة!' })
  await a.conversation.start.mutate({ actor_ids: [ming.actor_id, jurgen.actor_id] })
  return { cairo: cairo.space_id, cairo_thread: thread_id, cairo_event: chosen.event_id, talk: talk.space_id }
}

/** Writes messages by all members over weeks directly to the database: the API would take minutes. */
async function loadLong({ dataDir }, ada, speakers) {
  const { connection, stop } = await attachEmbedded({ dataDir, explicitDataDir: true, log: () => {}, onLost: () => {} })
  await loadPastTexts(connection, LONG, ada, said(speakers))
  await stop()
}

function* said(speakers) {
  const end = Date.now() - 60_000
  for (let n = 0; n < EVENTS; n++) {
    yield {
      by: speakers[(n * 7) % speakers.length],
      text: SENTENCES[(n * 5) % SENTENCES.length],
      time: end - (EVENTS - n) * MINUTES_BETWEEN * 60_000,
    }
  }
}
