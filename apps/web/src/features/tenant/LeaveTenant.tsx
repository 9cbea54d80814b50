import { useState } from 'react'
import { Button } from '../../shared/components/Button'
import { ConfirmDialog } from '../../shared/components/ConfirmDialog'
import { useLeaveTenant } from '../../shared/query/tenant'
import { tenantTexts } from './texts'

interface LeaveTenantProps {
  readonly tenantId: string
  /** Undefined until it loads. Until then, leaving is disabled. */
  readonly name: string | undefined
}

export function LeaveTenant({ tenantId, name = '' }: LeaveTenantProps) {
  const [isAsking, setIsAsking] = useState(false)
  const leave = useLeaveTenant(tenantId)
  const words = tenantTexts
  return (
    <>
      <Button icon="signOut" disabled={name === ''} onClick={() => setIsAsking(true)}>
        {words.leave}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={words.leaveTitle(name)}
        text={words.leaveText}
        confirm={words.leave}
        request={leave}
        onConfirm={() => leave.mutate(undefined, { onSuccess: () => setIsAsking(false) })}
      />
    </>
  )
}
