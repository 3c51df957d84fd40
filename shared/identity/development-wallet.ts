/**
 * The extended public key of the local server and the tests, at m/44'/60'/0' of the mnemonic that the whole
 * Ethereum world uses for tests: "test test test test test test test test test test test junk".
 * Everyone can derive the private keys under it, so nothing of value may ever lie there;
 * `assertDeployable` keeps it out of deployments.
 */
export const developmentXpub =
  'xpub6Ce9NcJvTk36xtLSrJLZqE7wtgA5deCeYs7rSQtreh4cj6ByPtrg9sD7V2FNFLPnf8heNP3FGkeV9qwfzvZNSd54JoNXVsXFYSYwHsnJxqP';
