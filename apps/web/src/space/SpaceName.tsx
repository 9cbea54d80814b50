import { useSpaceName } from '../query/space-name'

/** What a space is called, in whatever direction that is written. */
export const SpaceName = ({ spaceId }: { readonly spaceId: string }) => <bdi>{useSpaceName(spaceId)}</bdi>
