import { useState } from 'react'
import { useLocation } from 'wouter'
import { Button } from '../../shared/components/Button'
import { EmptyState } from '../../shared/components/EmptyState'
import { Loaded } from '../../shared/components/Loaded'
import { PageFrame, Section } from '../../shared/components/PageFrame'
import { useDialogParam } from '../../shared/navigation/dialog-param'
import { spacePath } from '../../shared/navigation/paths'
import { useTitle } from '../../shared/navigation/title'
import { useMemberRights } from '../../shared/query/permission'
import { isOpenSample, useCreateSample } from '../../shared/query/sample'
import { useSpaces } from '../../shared/query/space'
import { isConversation } from '../../shared/query/space-name'
import { useSession } from '../../shared/session/session'
import { texts } from '../../shared/texts'
import { StartConversation } from '../actor/StartConversation'
import { guideTexts } from '../guide/texts'
import { ConversationList } from './ConversationList'
import { CreateSpace } from './CreateSpace'
import { FirstSteps } from './FirstSteps'
import styles from './FirstSteps.module.css'
import { SpaceFilter, type SpaceFilterValue } from './SpaceFilter'
import { SpaceList } from './SpaceList'
import { SampleFailure, TrySample } from './TrySample'
import { homeTexts } from './texts'
import { Waiting } from './Waiting'

/** The home page: pending inbox items, spaces and conversations. */
export function HomePage() {
  const { account } = useSession()
  const [isCreating, setIsCreating] = useDialogParam('new')
  const [isWriting, setIsWriting] = useDialogParam('message')
  const { canCreateSpaces } = useMemberRights()
  const home = homeTexts
  useTitle(home.title(account.name))
  const actions = (
    <>
      <Button icon="people" onClick={() => setIsWriting(true)}>
        {texts.conversations.create}
      </Button>
      {canCreateSpaces && (
        <Button look="primary" icon="plus" onClick={() => setIsCreating(true)}>
          {home.create}
        </Button>
      )}
    </>
  )
  return (
    <PageFrame title={home.title(account.name)} lead={home.lead} actions={actions}>
      <Waiting />
      <Spaces onCreate={() => setIsCreating(true)} />
      <CreateSpace isOpen={isCreating} onClose={() => setIsCreating(false)} />
      {isWriting && <StartConversation onClose={() => setIsWriting(false)} />}
    </PageFrame>
  )
}

function Spaces({ onCreate }: { readonly onCreate: () => void }) {
  const { account } = useSession()
  const [, navigate] = useLocation()
  const [filter, setFilter] = useState<SpaceFilterValue>({ words: '', status: 'any' })
  const make = useCreateSample((spaceId) => {
    navigate(spacePath(spaceId))
    // The pressed button disappears.
    document.getElementById('content')?.focus()
  })
  const home = homeTexts
  const { canCreateSpaces } = useMemberRights()
  const canTry = account.kind === 'human' && canCreateSpaces
  return (
    <Loaded query={useSpaces()} rows={5}>
      {(all) => {
        const spaces = all.filter(
          (space) => !isConversation(space.space_id) && !(make.isPending && isOpenSample(space)),
        )
        const sample = canTry && (
          <TrySample sampleId={spaces.find(isOpenSample)?.space_id} request={make} onMake={() => make.mutate()} />
        )
        return (
          <>
            {spaces.length === 0 ? (
              <EmptyState
                icon="space"
                title={canCreateSpaces ? home.emptyTitle : home.guestTitle}
                action={
                  canCreateSpaces && (
                    <div className={styles.ways}>
                      <Button size="small" onClick={onCreate}>
                        {home.create}
                      </Button>
                      {sample}
                    </div>
                  )
                }
              >
                {canCreateSpaces ? home.emptyText : home.guestText} {canTry && guideTexts.offer}
              </EmptyState>
            ) : (
              <Section title={home.spaces} aside={<SpaceFilter filter={filter} onChange={setFilter} />}>
                <SpaceList spaces={spaces} filter={filter} />
              </Section>
            )}
            <ConversationList conversations={all.filter(({ space_id }) => isConversation(space_id))} />
            {make.error !== null && <SampleFailure error={make.error} />}
            {/* Last, so that its appearance shifts nothing. */}
            {canCreateSpaces && <FirstSteps onCreate={onCreate} sample={spaces.length > 0 && sample} />}
          </>
        )
      }}
    </Loaded>
  )
}
