import { testEveryCall } from './exhaustive.ts';

await testEveryCall(3);
