import { type Match, shownTime } from '@collab-spaces/client'
import { useLocation, useRoute } from 'wouter'
import { credentialsTexts } from '../../features/credential/texts'
import { decisionsTexts, decisionTexts, proposeTexts } from '../../features/decision/texts'
import { homeTexts } from '../../features/home/texts'
import { participantsTexts } from '../../features/participant/texts'
import { PANELS } from '../../features/space/panels'
import { density, theme } from '../../shared/browser/look'
import { optionsOf } from '../../shared/components/Select'
import { excerptLine } from '../../shared/markdown/excerpt'
import { plainText } from '../../shared/markdown/plain'
import { dialogPath } from '../../shared/navigation/dialog-param'
import {
  AGENTS,
  CREDENTIALS,
  decisionPath,
  decisionsPath,
  eventPath,
  HOME,
  panelPath,
  spacePath,
} from '../../shared/navigation/paths'
import { useMyAgents } from '../../shared/query/agent'
import { useDecisionSearch } from '../../shared/query/decision'
import { usePartners } from '../../shared/query/names'
import { useMemberRights } from '../../shared/query/permission'
import { useSearch } from '../../shared/query/search'
import { useConversation, useSpaces } from '../../shared/query/space'
import { spaceIcon } from '../../shared/query/space-icon'
import { spaceName, useSpaceNames } from '../../shared/query/space-name'
import { texts } from '../../shared/texts'
import { momentIn } from '../../shared/time'
import { toastError } from '../../shared/toast'
import { NAVIGATION, SETTINGS } from '../menu/navigation'
import { shortcutsShown } from '../menu/Shortcuts'
import { accountTexts, paletteTexts, shortcutsTexts } from '../menu/texts'
import { type Command, fitting } from './commands'

const MAX_RESULTS = 5
const MAX_COMMANDS = 8

/** Returns the commands that match the typed words, in groups: panels, spaces, pages, people, decisions, messages. */
export function useCommands(typed: string) {
  const words = paletteTexts
  const people = usePeopleCommands()
  const isEmpty = typed.trim() === ''
  const groups = [
    { title: words.here, commands: fitting(usePanelCommands(), typed, MAX_COMMANDS) },
    { title: homeTexts.spaces, commands: fitting(useSpaceCommands(), typed, isEmpty ? MAX_RESULTS : MAX_COMMANDS) },
    { title: words.go, commands: fitting(usePageCommands(), typed, MAX_COMMANDS) },
    { title: words.people, commands: isEmpty ? [] : fitting(people, typed, MAX_RESULTS) },
    { title: decisionsTexts.heading, commands: useDecisionCommands(typed) },
    { title: words.said, commands: useMatches(typed) },
  ]
  return groups.filter(({ commands }) => commands.length > 0)
}

/** Returns the panels of the current space. */
function usePanelCommands(): readonly Command[] {
  const [isSpace, params] = useRoute<{ spaceId: string }>('/s/:spaceId/*?')
  const nameOf = useSpaceNames()
  if (!isSpace) return []
  const { spaceId } = params
  const name = nameOf(spaceId)
  return [
    {
      id: 'propose',
      icon: 'plus',
      label: proposeTexts.title,
      aside: name,
      to: dialogPath(decisionsPath(spaceId), 'propose'),
    },
    {
      id: 'decisions',
      icon: 'decision',
      label: decisionsTexts.heading,
      also: name,
      aside: name,
      to: decisionsPath(spaceId),
    },
    ...PANELS.map(
      ({ id, icon, label }): Command => ({ id, icon, label, also: name, aside: name, to: panelPath(spaceId, id) }),
    ),
  ]
}

function useSpaceCommands(): readonly Command[] {
  const { data: spaces } = useSpaces()
  return (spaces ?? []).map((space): Command => {
    const { space_id, title, description } = space
    return {
      id: `space ${space_id}`,
      icon: spaceIcon(space),
      label: spaceName(space),
      also: `${space_id} ${description}`,
      aside: title === null ? description : space_id,
      to: spacePath(space_id),
    }
  })
}

const NEW_SPACE = 'new space'
const NEW_AGENT = 'new agent'

const PAGE_COMMANDS: readonly Command[] = [
  ...[...NAVIGATION, ...SETTINGS].map(({ path, icon, label }): Command => ({ id: path, icon, label, to: path })),
  { id: 'new message', icon: 'plus', label: texts.conversations.create, to: dialogPath(HOME, 'message') },
  { id: NEW_SPACE, icon: 'plus', label: homeTexts.create, to: dialogPath(HOME, 'new') },
  { id: NEW_AGENT, icon: 'plus', label: texts.agents.add, to: dialogPath(AGENTS, 'new') },
  { id: 'new token', icon: 'plus', label: credentialsTexts.create, to: dialogPath(CREDENTIALS, 'new') },
  ...optionsOf(accountTexts.themes).map(
    ({ value, label }): Command => ({
      id: `theme ${value}`,
      icon: 'theme',
      label: paletteTexts.theme(label),
      to: () => theme.set(value),
    }),
  ),
  ...optionsOf(accountTexts.densities).map(
    ({ value, label }): Command => ({
      id: `density ${value}`,
      icon: 'menu',
      label: paletteTexts.density(label),
      to: () => density.set(value),
    }),
  ),
  { id: 'shortcuts', icon: 'keyboard', label: shortcutsTexts.title, to: () => shortcutsShown.set(true) },
]

/** Returns the pages and actions that this account may use. */
function usePageCommands(): readonly Command[] {
  const { canCreateSpaces, canAddAgents } = useMemberRights()
  return PAGE_COMMANDS.filter(({ id }) => (canCreateSpaces || id !== NEW_SPACE) && (canAddAgents || id !== NEW_AGENT))
}

/** Own agents lead to the agents page, other actors to the conversation with them. */
function usePeopleCommands(): readonly Command[] {
  const { data: agents } = useMyAgents()
  const { partners } = usePartners()
  const { mutateAsync: talkTo } = useConversation()
  const [, navigate] = useLocation()
  const own = (agents ?? []).map(
    ({ actor_id, display_name }): Command => ({
      id: actor_id,
      icon: 'agent',
      label: display_name,
      aside: participantsTexts.yours,
      to: AGENTS,
    }),
  )
  // The palette closes before the answer.
  const talk = (actorId: string) => talkTo([actorId]).then(({ space_id }) => navigate(spacePath(space_id)), toastError)
  const others = partners
    .filter(({ actorId }) => !own.some(({ id }) => id === actorId))
    .map(
      ({ actorId, name, kind }): Command => ({
        id: actorId,
        icon: kind === 'agent' ? 'agent' : 'people',
        label: name,
        aside: texts.conversations.one,
        to: () => void talk(actorId),
      }),
    )
  return [...others, ...own]
}

/** Returns matching decisions in the account's spaces, open ones first. */
function useDecisionCommands(typed: string): readonly Command[] {
  const { data: decisions } = useDecisionSearch({ q: typed, limit: MAX_RESULTS })
  const nameOf = useSpaceNames()
  if (typed.trim() === '') return []
  return (decisions ?? []).map(({ decision_id, space_id, text, status }) => ({
    id: `decision ${decision_id}`,
    icon: 'decision',
    label: plainText(text),
    aside: `${decisionTexts.statuses[status]} · ${nameOf(space_id)}`,
    to: decisionPath(space_id, decision_id),
  }))
}

/** Returns the text of a match, or the file that it is in. */
function labelOf(match: Match): string {
  const { snippet, matched_file: file } = match
  if (file === undefined) return excerptLine({ ...match, text: snippet })
  return file.snippet === null ? file.name : `${file.name}: ${file.snippet}`
}

/** Returns matching messages in the account's spaces. */
function useMatches(typed: string): readonly Command[] {
  const { data: matches } = useSearch({ q: typed, limit: MAX_RESULTS })
  const nameOf = useSpaceNames()
  if (typed.trim() === '') return []
  return (matches ?? []).map((match) => ({
    id: match.event_id,
    icon: 'search',
    label: labelOf(match),
    // A long name is cut at its end.
    aside: `${momentIn(shownTime(match), Date.now())} · ${nameOf(match.space_id)}`,
    by: match,
    to: eventPath(match.space_id, match.corrects ?? match.event_id),
  }))
}
