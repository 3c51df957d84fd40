import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Runs the longest files first: what begins last must not go on alone. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) =>
      /test\/(?:faults\/exhaustive|browser\/console-views)/.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
