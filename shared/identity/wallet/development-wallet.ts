/**
 * The extended public key of the local server and the tests, at m/44'/60'/0' of the mnemonic that is commonly used for
 * tests on Ethereum: "test test test test test test test test test test test junk". Everybody can derive the private
 * keys below it, so it must never hold value; `assertDeployable` keeps it out of deployments.
 */
export const developmentXpub =
  'xpub6Ce9NcJvTk36xtLSrJLZqE7wtgA5deCeYs7rSQtreh4cj6ByPtrg9sD7V2FNFLPnf8heNP3FGkeV9qwfzvZNSd54JoNXVsXFYSYwHsnJxqP';
