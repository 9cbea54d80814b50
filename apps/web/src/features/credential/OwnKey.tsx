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

type KeyAction = 'rotate' | 'revokeAll'

/** Replaces the account's key, alone or with all its other credentials, which it revokes. */
export function OwnKey() {
  const { data: me } = useMe()
  const [act, setAct] = useState<KeyAction | null>(null)
  const { account } = useSession()
  const { data: [key] = [] } = useCredentials(account.actorId, act === 'revokeAll')
  const rotate = useRotateOwnKey()
  const words = ownKeyTexts

  const confirm = () => rotate.mutate({ revoke_tokens: act === 'revokeAll' }, { onSuccess: () => setAct(null) })
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
            <Button size="small" onClick={() => setAct('revokeAll')}>
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
        title={act === 'revokeAll' ? words.everywhereTitle : words.rotateTitle}
        text={act === 'revokeAll' ? words.everywhereText : words.rotateText}
        confirm={act === 'revokeAll' ? words.everywhere : words.rotateSubmit}
        request={rotate}
        onConfirm={confirm}
      >
        {act === 'revokeAll' && <EndedList ended={key?.everything} title={endedTexts.before} />}
      </ConfirmDialog>
    </Section>
  )
}
