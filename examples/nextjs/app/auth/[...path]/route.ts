import { auth } from '../../../auth';

export { auth as GET, auth as POST };
