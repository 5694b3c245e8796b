import { BaseSequencer, type TestSequencerConstructor, type TestSpecification } from 'vitest/node'

/**
 * Starts the matching test files before the others, so that none of them is left to run alone at the end. vitest knows
 * how long a file takes only from an earlier run, and otherwise starts with the largest.
 */
export function slowFilesFirst(slow: RegExp): TestSequencerConstructor {
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const sorted = await super.sort(files)
      const isSlow = ({ moduleId }: TestSpecification) => slow.test(moduleId)
      return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))]
    }
  }
}
