import { textsOf } from '../../languages/texts'

export const {
  memberTexts,
  memberCredentialsTexts,
  tenantTexts,
  noTenantTexts,
  privateSpacesTexts,
  tenantPolicyTexts,
  invitesTexts,
  createInviteTexts,
} = textsOf('tenant')
