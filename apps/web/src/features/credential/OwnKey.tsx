import { useState } from 'react'
import { Button } from '../../shared/components/Button'
import { ConfirmDialog } from '../../shared/components/ConfirmDialog'
import { List, ListRow } from '../../shared/components/List'
import { Section } from '../../shared/components/PageFrame'
import { useMe } from '../../shared/query/actor'
import { useCredentials, useRotateOwnKey } from '../../shared/query/credential'
import { useSession } from '../../shared/session/session'
import { EndedList } from './EndedList'
import { Limits } from './Limits'
import { endedTexts, ownKeyTexts } from './texts'

type Act = 'rotate' | 'everywhere'

/** Replaces the account's key, alone or with all its other credentials. */
export function OwnKey() {
  const { data: me } = useMe()
  const [act, setAct] = useState<Act | null>(null)
  const { account } = useSession()
  const { data: [key] = [] } = useCredentials(account.actorId, act === 'everywhere')
  const rotate = useRotateOwnKey()
  const words = ownKeyTexts

  const confirm = () => rotate.mutate({ revoke_tokens: act === 'everywhere' }, { onSuccess: () => setAct(null) })
  return (
    <Section title={words.title}>
      <List label={words.title}>
        <ListRow icon="info" title={words.current}>
          {me && <Limits limits={me} />}
        </ListRow>
        <ListRow
          icon="refresh"
          title={words.rotate}
          actions={
            <Button size="small" onClick={() => setAct('rotate')}>
              {words.rotateSubmit}
            </Button>
          }
        >
          <span>{words.rotateHint}</span>
        </ListRow>
        <ListRow
          icon="signOut"
          title={words.everywhere}
          actions={
            <Button size="small" onClick={() => setAct('everywhere')}>
              {words.everywhere}
            </Button>
          }
        >
          <span>{words.everywhereHint}</span>
        </ListRow>
      </List>
      <ConfirmDialog
        isOpen={act !== null}
        onClose={() => setAct(null)}
        title={act === 'everywhere' ? words.everywhereTitle : words.rotateTitle}
        text={act === 'everywhere' ? words.everywhereText : words.rotateText}
        confirm={act === 'everywhere' ? words.everywhere : words.rotateSubmit}
        request={rotate}
        onConfirm={confirm}
      >
        {act === 'everywhere' && <EndedList ended={key?.everything} title={endedTexts.before} />}
      </ConfirmDialog>
    </Section>
  )
}
